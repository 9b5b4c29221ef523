#!/bin/bash
# SPDX-License-Identifier: MIT
# Ends with the status given, or never.
[ "$1" = forever ] && exec sleep infinity
exit "$1"
