/**
 * Texts that try to run a script: as HTML, as Markdown, as a break out of an attribute, a title, a script, a style, a
 * comment or CDATA, and by differences between parsers. Placeholders: `RUN` for the script, `⏎` for a line break, and
 * `⟨` for the start of a tag that Vite would otherwise rewrite in this template.
 *
 * After the cheat sheets of OWASP (https://cheatsheetseries.owasp.org/cheatsheets/XSS_Filter_Evasion_Cheat_Sheet.html),
 * PortSwigger (https://portswigger.net/web-security/cross-site-scripting/cheat-sheet) and Cure53
 * (https://html5sec.org).
 */
const written = String.raw`
<script>RUN⟨/script>
<SCRIPT>RUN⟨/SCRIPT>
<scr<script>ipt>RUN</scr⟨/script>ipt>
<script src=data:text/javascript,RUN>⟨/script>
<script type=module>RUN⟨/script>
<script type="text/deferred">RUN⟨/script>
<script/x>RUN⟨/script/x>
<script	>RUN⟨/script	>
<script async defer>RUN⟨/script>
<script>/*<!--*/RUN/*-->*/⟨/script>
<<script>RUN//<⟨/script>
<script>RUN
<script charset="utf-7">+AFIAVQBO-⟨/script>
<svg><script>RUN⟨/script></svg>
<svg><script href=data:text/javascript,RUN /></svg>
<svg><script xlink:href="data:text/javascript,RUN">⟨/script></svg>
<math><script>RUN⟨/script></math>
<img src=x onerror=RUN>
<img src=x onerror="RUN">
<img src=x onerror='RUN'>
<img src=x onerror=RUN//
<img/src=x/onerror=RUN>
<img src="x" OnErRoR="RUN">
<img src=x oneonerrorrror=RUN>
<img src=x on error=RUN>
<img src=x onerror =RUN>
<img src=x onerror⏎=RUN>
<img """><script>RUN⟨/script>">
<img src=javascript:RUN>
<img src="jav	ascript:RUN">
<img dynsrc=javascript:RUN lowsrc=javascript:RUN>
<img src=x:RUN onerror=eval(src.slice(2))>
<img srcset="x 1x, y 2x" onerror=RUN>
<img src onerror=RUN>
<image src=x onerror=RUN>
<image href=x onerror=RUN>
<picture><source srcset=x onerror=RUN><img src=x onerror=RUN></picture>
<svg onload=RUN>
<svg/onload=RUN>
<svg	onload=RUN>
<svg onload="RUN" xmlns="http://www.w3.org/2000/svg">
<svg><g onload=RUN></g></svg>
<svg><animate onbegin=RUN attributeName=x dur=1s>
<svg><set onbegin=RUN attributeName=x to=1>
<svg><animatetransform onbegin=RUN attributeName=transform>
<svg><animatemotion onbegin=RUN>
<svg><a><animate attributeName=href values=javascript:RUN /><text x=20 y=20>x</text></a></svg>
<svg><a xlink:href="javascript:RUN"><text y=20>x</text></a></svg>
<svg><a><set attributeName=href to=javascript:RUN /><text y=20>x</text></a></svg>
<svg><use href="data:image/svg+xml,&lt;svg id='x' xmlns='http://www.w3.org/2000/svg'&gt;&lt;script&gt;RUN&lt;/script&gt;&lt;/svg&gt;#x"/></svg>
<svg><foreignObject><img src=x onerror=RUN></foreignObject></svg>
<svg><foreignObject><iframe srcdoc="<script>RUN⟨/script>"></iframe></foreignObject></svg>
<svg><image href=x onerror=RUN></image></svg>
<svg><discard onbegin=RUN>
<svg><style><img src=x onerror=RUN></style></svg>
<svg><title><img src=x onerror=RUN></title></svg>
<svg><desc><img src=x onerror=RUN></desc></svg>
<svg></p><style><a id="</style><img src=x onerror=RUN>">
<math href="javascript:RUN">x</math>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=RUN&gt;">
<math><mi//xlink:href="data:x,RUN">
<math><annotation-xml encoding="text/html"><img src=x onerror=RUN></annotation-xml></math>
<math><mi><style><!--</style><img src=x onerror=RUN>--></style></mi></math>
<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=RUN>
<body onload=RUN>
<body onpageshow=RUN>
<body background="javascript:RUN">
<body onhashchange=RUN><a href=#x>x</a>
<body onscroll=RUN><br><br>
<html onmouseover=RUN>
<iframe src=javascript:RUN></iframe>
<iframe srcdoc="<script>RUN⟨/script>"></iframe>
<iframe srcdoc="&lt;img src=x onerror=parent.RUN&gt;"></iframe>
<iframe onload=RUN></iframe>
<iframe src="data:text/html,<script>parent.RUN⟨/script>"></iframe>
<iframe src=//example.com></iframe>
<frameset onload=RUN><frame src=javascript:RUN></frameset>
<object data=javascript:RUN></object>
<object data="data:text/html,<script>RUN⟨/script>"></object>
<object onerror=RUN data=x></object>
<object type="text/x-scriptlet" data="x"></object>
<embed src=javascript:RUN>
<embed code=x onload=RUN>
<applet onerror=RUN code=x>
<portal src=javascript:RUN onload=RUN>
<video src=x onerror=RUN></video>
<video><source onerror=RUN src=x></video>
<video poster=javascript:RUN></video>
<video controls onloadstart=RUN src=x></video>
<audio src=x onerror=RUN></audio>
<audio autoplay onloadstart=RUN src=x>
<track onerror=RUN src=x default>
<details open ontoggle=RUN><summary>x</summary></details>
<details ontoggle=RUN open>
<dialog open onclose=RUN>x</dialog>
<input autofocus onfocus=RUN>
<input onblur=RUN autofocus><input autofocus>
<input type=image src=x onerror=RUN>
<select autofocus onfocus=RUN><option>x</select>
<textarea autofocus onfocus=RUN></textarea>
<keygen autofocus onfocus=RUN>
<button autofocus onfocus=RUN>x</button>
<button formaction=javascript:RUN>x</button>
<button popovertarget=x>x</button><div popover id=x onbeforetoggle=RUN>x</div>
<form action=javascript:RUN><input type=submit>
<form><button formaction=javascript:RUN>x</form>
<form id=x></form><button form=x formaction=javascript:RUN>x</button>
<isindex action=javascript:RUN type=image>
<a href=javascript:RUN>x</a>
<a href="JaVaScRiPt:RUN">x</a>
<a href=" javascript:RUN">x</a>
<a href="java⏎script:RUN">x</a>
<a href="java&#x09;script:RUN">x</a>
<a href="java&Tab;script:RUN">x</a>
<a href="java&NewLine;script:RUN">x</a>
<a href="javascript&colon;RUN">x</a>
<a href="&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;RUN">x</a>
<a href="&#x6A;avascript:RUN">x</a>
<a href="&#0000106avascript:RUN">x</a>
<a href="&#1;javascript:RUN">x</a>
<a href="javascript://%0aRUN">x</a>
<a href="javascript://example.com/%0aRUN">x</a>
<a href="vbscript:RUN">x</a>
<a href="data:text/html,<script>RUN⟨/script>">x</a>
<a href="data:text/html;base64,PHNjcmlwdD5SVU48L3NjcmlwdD4=">x</a>
<a href="blob:RUN">x</a>
<a href="view-source:javascript:RUN">x</a>
<a href=# onclick=RUN autofocus onfocus=RUN>x</a>
<a href=x ping=javascript:RUN>x</a>
<a target=_blank rel=opener href=//example.com>x</a>
<area href=javascript:RUN>
<map name=x><area shape=default href=javascript:RUN></map><img usemap=#x src=x>
<base href="javascript:RUN//"><a href=x>x</a>
<base href=//example.com/>
<link rel=stylesheet href="javascript:RUN">
<link rel=import href="data:text/html,<script>RUN⟨/script>">
<link rel=preload as=script href=x onerror=RUN>
<link rel=stylesheet href=x onerror=RUN>
<meta http-equiv=refresh content="0;url=javascript:RUN">
<meta http-equiv="refresh" content="0;url=data:text/html,<script>RUN⟨/script>">
<meta http-equiv="Set-Cookie" content="x=1">
<meta http-equiv="Content-Security-Policy" content="script-src *">
<meta charset="UTF-7">
<style>@import 'javascript:RUN';</style>
<style>*{background:url(javascript:RUN)}</style>
<style onload=RUN></style>
<style onerror=RUN>@import '//example.com/x';</style>
<style><img src="</style><img src=x onerror=RUN//">
<div style="background:url(javascript:RUN)">x</div>
<div style="width:expression(RUN)">x</div>
<div style="position:fixed;inset:0;z-index:99999;background:red">x</div>
<div style="behavior:url(x.htc)">x</div>
<div style="-moz-binding:url(x.xml#x)">x</div>
<div onmouseover=RUN>x</div>
<div onpointerrawupdate=RUN onpointerover=RUN>x</div>
<div contenteditable autofocus onfocus=RUN tabindex=0>x</div>
<div style=animation-name:x onanimationstart=RUN>x</div>
<div style="transition:all 1s" ontransitionend=RUN>x</div>
<div oncontentvisibilityautostatechange=RUN style=content-visibility:auto>x</div>
<x onfocus=RUN tabindex=1 id=x autofocus>
<xss oncopy=RUN onpaste=RUN oncut=RUN contenteditable>x</xss>
<xss class=progress-bar-animated onanimationstart=RUN>
<custom-element onclick=RUN is=x>x</custom-element>
<marquee onstart=RUN>x</marquee>
<marquee behavior=alternate onbounce=RUN loop=1 width=0>x</marquee>
<bgsound src=javascript:RUN>
<layer src=javascript:RUN></layer>
<table background=javascript:RUN><tr><td background=javascript:RUN>x</table>
<table><tr><td><script>RUN⟨/script></table>
<br size="&{RUN}">
<noscript><p title="</noscript><img src=x onerror=RUN>">
<noembed><img src=x onerror=RUN></noembed>
<noframes><img src=x onerror=RUN></noframes>
<xmp><img src=x onerror=RUN></xmp>
<plaintext><img src=x onerror=RUN>
<listing>&lt;img src=x onerror=RUN&gt;</listing>
<title><img src=x onerror=RUN></title>
<textarea><img src=x onerror=RUN></textarea>
<template><img src=x onerror=RUN></template>
<template shadowrootmode=open><img src=x onerror=RUN></template>
<slot onslotchange=RUN><b slot>x</b></slot>
<option><style></option></select><img src=x onerror=RUN></style>
<select><iframe></select><img src=x onerror=RUN></iframe>
<a href="</a><img src=x onerror=RUN>">x</a>
<p id="</p><script>RUN⟨/script>">x</p>
<!--><img src=x onerror=RUN>-->
<!--[if true]><script>RUN⟨/script><![endif]-->
<!-- --!><img src=x onerror=RUN> -->
<!-x--><img src=x onerror=RUN>
<![CDATA[<img src=x onerror=RUN>]]>
<![CDATA[x]]><script>RUN⟨/script>
]]><script>RUN⟨/script><![CDATA[
]]></content:encoded></item><script xmlns="http://www.w3.org/1999/xhtml">RUN⟨/script>
<html:script xmlns:html="http://www.w3.org/1999/xhtml">RUN</html:script>
<?xml-stylesheet href="javascript:RUN"?>
<?php echo "<script>RUN⟨/script>" ?>
<!DOCTYPE x [<!ENTITY y "<script>RUN⟨/script>">]>&y;
&lt;script&gt;RUN&lt;/script&gt;
&amp;lt;script&amp;gt;RUN&amp;lt;/script&amp;gt;
&#60;img src=x onerror=RUN&#62;
%3Cscript%3ERUN%3C/script%3E
\u003cscript\u003eRUN\u003c/script\u003e
\x3cscript\x3eRUN\x3c/script\x3e
+ADw-script+AD4-RUN+ADw-/script+AD4-
＜script＞RUN＜/script＞
⟨/script><script>RUN⟨/script>
⟨/script ><img src=x onerror=RUN>
<!--<script>RUN⟨/script>
</title><script>RUN⟨/script>
</style><script>RUN⟨/script>
</textarea><script>RUN⟨/script>
</noscript><script>RUN⟨/script>
</p></div></article></main><script>RUN⟨/script>
" onmouseover=RUN x="
" autofocus onfocus=RUN x="
' autofocus onfocus=RUN x='
"><script>RUN⟨/script>
'><script>RUN⟨/script>
"><svg onload=RUN>
"/><img src=x onerror=RUN>
";RUN//
';RUN//
"+RUN+"
\";RUN//
{{constructor.constructor('RUN')()}}
\${RUN}
<%= RUN %>
javascript:RUN
javascript:/*--></title></style></textarea>⟨/script></xmp><svg/onload='+/"/+/onmouseover=1/+/[*/[]/+RUN//'>
[x](javascript:RUN)
[x](JaVaScRiPt:RUN)
[x]( javascript:RUN)
[x](<javascript:RUN>)
[x](<java⏎script:RUN>)
[x](java&#x09;script:RUN)
[x](javascript&colon;RUN)
[x](&#106;avascript:RUN)
[x](\javascript:RUN)
[x](javascript://example.com/%0aRUN)
[x](vbscript:RUN)
[x](data:text/html,<script>RUN⟨/script>)
[x](data:text/html;base64,PHNjcmlwdD5SVU48L3NjcmlwdD4=)
[x](http://a" onmouseover="RUN)
[x](https://a.example "title" onmouseover=RUN ")
[x](https://a.example '" onmouseover=RUN x="')
[<img src=x onerror=RUN>](https://a.example)
[x][y-RUN]
![x](javascript:RUN)
![x](x" onerror="RUN)
![x](x 'y" onerror="RUN')
![" onerror="RUN](x)
![x" onerror=RUN y="](https://a.example/x.png)
![x](data:image/svg+xml,<svg onload=RUN>)
![<script>RUN⟨/script>](x)
<javascript:RUN>
<javascript:RUN//@example.com>
<https://a.example/"onmouseover="RUN>
<https://a.example/<script>RUN⟨/script>>
https://a.example/?x="><script>RUN⟨/script>
www.a.example/"><img src=x onerror=RUN>
x@example.com<script>RUN⟨/script>
# <img src=x onerror=RUN>
> <script>RUN⟨/script>
- <svg onload=RUN>
| <img src=x onerror=RUN> | x |
**<script>RUN⟨/script>**
_<img src=x onerror=RUN>_
${"`"}<img src=x onerror=RUN>${"`"}
${"``"}</code><img src=x onerror=RUN>${"``"}
~~<img src=x onerror=RUN>~~
<b><i><script>RUN⟨/script></i></b>
<div><!-- </div><img src=x onerror=RUN> -->
<a href='x'<img src=x onerror=RUN>>
<a<b>href=javascript:RUN>x</a>
<a href="x" href="javascript:RUN">x</a>
<a xml:base="javascript:RUN//" href="x">x</a>
<p is="x-y" srcdoc="<script>RUN⟨/script>">x</p>
<form id=document><input name=cookie><img name=currentScript src=x></form>
<a id=location href=javascript:RUN>x</a><a id=__reactRouterContext>x</a>
<form name=body><input id=attributes><input name=parentNode></form>
<img name=getElementById src=x><img name=querySelector src=x>
<a id=hydrate name=hydrate href="javascript:RUN">x</a>
`;

/** The texts, each with a script that calls `call` with the text's index. */
export const hostileTexts = (call: string) =>
  written
    .trim()
    .split("\n")
    .map((text, index) =>
      text.replaceAll("⏎", "\n").replaceAll("⟨", "<").replaceAll("RUN", `${call}(${index})`),
    );

/** The text as a CSV has it in a cell: nothing invisible, and an apostrophe before what a spreadsheet would take for a formula. */
export const asPlainCell = (text: string) =>
  text
    .replaceAll(/[\u202a-\u202e\u2066-\u2069\0]/g, "\ufffd")
    .split("\n")
    .map((line) => (/^\s*[=+\-@]/.test(line) ? `'${line}` : line))
    .join("\n");
