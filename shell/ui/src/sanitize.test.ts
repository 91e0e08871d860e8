import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import { sanitize } from './sanitize';

/** Returns the sanitized message as HTML. */
function left(html: string): string {
  const box = document.createElement('div');
  box.append(sanitize(html, '(new tab)'));
  return box.innerHTML;
}

row('2.5-notifications-sanitise', 'scripts, forms, pictures and unsafe links are removed from a message', () => {
  const harmful = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<p onclick="alert(1)" onmouseover=alert(1)>a</p>',
    '<a href="javascript:alert(1)">a</a>',
    '<a href="JaVa\nScRiPt:alert(1)">a</a>',
    '<a href="&#106;avascript:alert(1)">a</a>',
    '<a href="data:text/html,<script>alert(1)</script>">a</a>',
    '<a href="vbscript:x">a</a>',
    '<a href="//elsewhere.example">a</a>',
    '<a href="/\\elsewhere.example">a</a>',
    '<a href="/&#9;/elsewhere.example">a</a>',
    '<form action="https://elsewhere.example"><input name="pin"><button>ok</button></form>',
    '<iframe src="https://elsewhere.example"></iframe><object data=x></object><embed src=x>',
    '<img src="https://elsewhere.example/pixel.gif"><picture><source srcset=x></picture>',
    '<p style="position:fixed;inset:0;background:url(https://elsewhere.example)">a</p><style>p{}</style>',
    '<svg><a xlink:href="javascript:alert(1)"><text>a</text></a><script>alert(1)</script></svg>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<base href="https://elsewhere.example"><meta http-equiv=refresh content="0;url=x"><link rel=stylesheet href=x>',
    '<p id="content" name="content" class="x" data-title="1" aria-hidden="true" tabindex="0">a</p>',
    '<template><script>alert(1)</script></template><noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<video src=x autoplay></video><audio src=x></audio><video poster=x></video>',
  ];
  for (const html of harmful) {
    const box = document.createElement('div');
    box.append(sanitize(html, ''));
    for (const element of box.querySelectorAll('*')) {
      expect(['A', 'P', 'B', 'BR', 'UL', 'LI'], html).toContain(element.nodeName);
      for (const { name, value } of element.attributes) {
        expect(['href', 'target', 'rel'], html).toContain(name);
        if (name === 'href') expect(new URL(value, 'https://portal.example').origin, html).toBe('https://portal.example');
      }
    }
    expect(box.querySelectorAll('[href]'), html).toHaveLength(0);
    expect(box.innerHTML, html).not.toMatch(/script|onerror|elsewhere|alert\(1\)["']/i);
  }
});

row('2.5-notifications-sanitise', 'text, emphasis, lists and links stay; an external link is marked', () => {
  const kept =
    '<h3>Kop</h3><p>Een <strong>b</strong> <em>c</em> <b>d</b> <i>e</i> <u>f</u><br>g</p><ul><li>h</li></ul><ol><li>i</li></ol><blockquote><p>j</p></blockquote>' +
    '<p><a href="/invoices?page=2">k</a> <a href="mailto:a@b.example">l</a> <a href="tel:0201234567">m</a></p>';
  expect(left(kept)).toBe(kept);
  expect(left('<a href="https://a.example/b">n</a>')).toBe(
    '<a href="https://a.example/b" target="_blank" rel="noopener noreferrer">n<span> (new tab)</span></a>',
  );
  // the form that the server generates
  expect(left('<a href="http://a.example" rel="nofollow noreferrer noopener" target="_blank">n</a>')).toBe(
    '<a href="http://a.example" target="_blank" rel="noopener noreferrer">n<span> (new tab)</span></a>',
  );
  expect(left('3 &lt; 4 &amp; 5')).toBe('3 &lt; 4 &amp; 5');
});

row('9-label-pages-safe', 'a page keeps its headings, tables and the links between headings, and nothing harmful', () => {
  const of = (html: string) => {
    const box = document.createElement('div');
    box.append(sanitize(html, '(new tab)', true));
    return box.innerHTML;
  };
  const kept =
    '<h2 id="p-contract">Contract</h2><p><a href="#p-contract">a</a> <a href="/pages/terms">b</a></p>' +
    '<table><thead><tr><th>c</th></tr></thead><tbody><tr><td align="right">d</td></tr></tbody></table><ol start="2"><li>e</li></ol><hr><pre><code>f</code></pre>' +
    '<h3>g</h3><h4>h</h4><ul><li><strong>i</strong> <em>j</em></li></ul><blockquote><p>k</p></blockquote>' +
    '<p><a href="mailto:a@b.example">l</a> <a href="tel:0201234567">m</a></p>';
  expect(of(kept)).toBe(kept);
  expect(of('<a href="https://a.example" rel="nofollow noreferrer noopener" target="_blank">n</a>')).toBe(
    '<a href="https://a.example" target="_blank" rel="noopener noreferrer nofollow">n<span> (new tab)</span></a>',
  );
  for (const html of [
    '<h2 id="root">a</h2>',
    '<h2 id="p" name="p">a</h2>',
    '<p><a href="#root">a</a></p>',
    '<p><a href="javascript:alert(1)">a</a></p>',
    '<p><a href="http://a.example">a</a></p>',
    '<p><img src=x onerror=alert(1)>a</p>',
    '<p style="color:red" onclick=alert(1)>a</p><script>alert(1)</script><style>p{}</style>',
    '<form action="/x"><p>a</p></form><iframe src="https://a.example"></iframe>',
  ]) {
    const box = document.createElement('div');
    box.innerHTML = of(html);
    expect(box.textContent, html).toBe('a');
    for (const element of box.querySelectorAll('*')) {
      expect(['H2', 'P', 'A'], html).toContain(element.nodeName);
      expect(element.attributes, html).toHaveLength(0);
    }
  }
  // a person's message has no such elements
  expect(left('<h2 id="p-x">a</h2><table><tbody><tr><td>b</td></tr></tbody></table>')).toBe('ab');
});
