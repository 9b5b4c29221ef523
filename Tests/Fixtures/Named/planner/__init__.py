# SPDX-License-Identifier: MIT
"""A planner of GTK 4 in Python, as a package: a closure, a lambda, a partial, a decorator, and a widget's property.

Comments as in clock.c."""
