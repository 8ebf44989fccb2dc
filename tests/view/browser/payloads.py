"""Texts that would run a script wherever a page takes them for markup, a link or code."""

from __future__ import annotations

RAN = "window.ran=(window.ran||0)+1"

PAYLOADS = (
    f"<script>{RAN}</script>",
    f"</script><script>{RAN}</script>",
    f'<SCRIPT SRC="data:text/javascript,{RAN}"></SCRIPT>',
    f'<img src=x onerror="{RAN}">',
    f"<img src=x onerror={RAN}//",
    f'<svg onload="{RAN}"></svg>',
    f"<svg><script>{RAN}</script></svg>",
    f"<svg xmlns='http://www.w3.org/2000/svg' onload='{RAN}'><rect width='9' height='9'/></svg>",
    f"<svg><animate onbegin='{RAN}' attributeName='x' dur='1s'></animate></svg>",
    f"<body onload={RAN}>",
    f'<iframe srcdoc="<script>parent.{RAN}</script>"></iframe>',
    f'<iframe src="javascript:parent.{RAN}"></iframe>',
    f'<a href="javascript:{RAN}">click</a>',
    f"javascript:{RAN}",
    f" \tjava\nscript:{RAN}",
    f"data:text/html,<script>{RAN}</script>",
    f'" onmouseover="{RAN}" autofocus onfocus="{RAN}" x="',
    f"' onfocus='{RAN}' autofocus tabindex='1",
    f'<details open ontoggle="{RAN}"><summary>x</summary></details>',
    f'<video><source onerror="{RAN}"></video>',
    f'<input autofocus onfocus="{RAN}">',
    f'<marquee onstart="{RAN}">x</marquee>',
    f'<math><mtext></form><form><mglyph><style></math><img src onerror="{RAN}">',
    f'<object data="javascript:{RAN}"></object>',
    f'<meta http-equiv="refresh" content="0;url=javascript:{RAN}">',
    '<base href="https://example.invalid/">',
    f"<style>@import 'javascript:{RAN}';</style><link rel=stylesheet href=\"javascript:{RAN}\">",
    f"${{{RAN}}}",
    f"{{{{constructor.constructor('{RAN}')()}}}}",
    f"`);{RAN};//",
    f'<form action="javascript:{RAN}"><button autofocus>x</button></form>',
    "__proto__",
    f"\u2028{RAN}\u2029*/{RAN}/*",
    f"\u202e<!--><script>{RAN}</script>-->",
)
"""More than 30, for names as for texts."""
