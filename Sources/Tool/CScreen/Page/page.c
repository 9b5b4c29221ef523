// SPDX-License-Identifier: MIT
// The parts of the page. In C, because the Swift compiler takes many seconds for as many bytes in an array.
#include "embedded.h"

// This is C23, which clang takes in every language.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t template_bytes[] = {
#embed "Web/page.html"
};

static const uint8_t style_bytes[] = {
#embed "Web/page.css"
};

// In the page's order: each finds what it needs while it loads; functions are found in any order.
static const uint8_t script_bytes[] = {
#embed "Web/text.js" suffix(, )
#embed "Web/data.js" suffix(, )
#embed "Web/state.js" suffix(, )
#embed "Web/timeline.js" suffix(, )
#embed "Web/draw.js" suffix(, )
#embed "Web/overview.js" suffix(, )
#embed "Web/input.js" suffix(, )
#embed "Web/flame.js" suffix(, )
#embed "Web/tables.js" suffix(, )
#embed "Web/causes.js" suffix(, )
#embed "Web/compare.js" suffix(, )
#embed "Web/main.js" suffix(, )
};

struct cpage_part cpage_template(void) {
    return (struct cpage_part){template_bytes, sizeof template_bytes};
}

struct cpage_part cpage_style(void) {
    return (struct cpage_part){style_bytes, sizeof style_bytes};
}

struct cpage_part cpage_script(void) {
    return (struct cpage_part){script_bytes, sizeof script_bytes};
}
