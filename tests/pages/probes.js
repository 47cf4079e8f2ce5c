// What the tests read off a page: each function is called by its name, through probe() of looking.py.
({
  // --- the viewer

  /** What is looked at: the tree, the node, the hand, the solutions, and what is unfolded. */
  shown() {
    const { state: s } = window.efgView.view;
    const open = s.sight.order.map((item) => item.key);
    return { kind: s.view.kind, at: s.selected, hand: s.hand, now: s.now, before: s.before, open };
  },

  /** How far the tree sticks out of its window, the depths of what is in it, its scale, and how far the page is too wide. */
  fit() {
    const items = [...document.querySelectorAll("[role=treeitem]")];
    return {
      first: Math.max(...this.sticksOut(".efg-stage", items[0])),
      out: Math.max(...items.flatMap((each) => this.sticksOut(".efg-stage", each))),
      depths: items.map((each) => Number(each.getAttribute("aria-level"))),
      scale: window.efgView.view.state.window.transform.k,
      wide: document.documentElement.scrollWidth - innerWidth,
    };
  },

  /** How far nodes stick out of the tree's window, sideways or in all directions. */
  out() {
    return Math.max(...[...document.querySelectorAll("[role=treeitem]")].flatMap((e) => this.sticksOut(".efg-tree", e)));
  },
  outSideways() {
    const all = [...document.querySelectorAll("[role=treeitem]")];
    return Math.max(...all.flatMap((e) => this.sticksOut(".efg-tree", e).slice(0, 2)));
  },
  sticksOutOfTree(element) {
    return this.sticksOut(".efg-tree", element);
  },
  sticksOut(window_, element) {
    const edge = document.querySelector(window_).getBoundingClientRect(), box = element.getBoundingClientRect();
    return [box.right - edge.right, edge.left - box.left, edge.top - box.top, box.bottom - edge.bottom];
  },

  /**
   * What is drawn of the full tree, in the tree's own pixels: `branches` {points, width, color, at, from (the middle of the
   * node at its start), to}, `nodes` {id, at, r, fill, out}, `words` and `chips` as [left, top, right, bottom] with `of`,
   * the node that they belong to, and `bands` {k, x, from, to, width}.
   */
  scene() {
    const { state: s } = window.efgView.view, style = (e) => getComputedStyle(e);
    const box = (e, dx = 0, dy = 0) => {
      const { x, y, width, height } = e.getBBox();
      return [x + dx, y + dy, x + dx + width, y + dy + height];
    };
    const lines = [...document.querySelectorAll(".efg-line")], nodes = [...document.querySelectorAll("[role=treeitem]")];
    const middle = (item) => [item.x + item.body.out, item.y];
    return {
      branches: lines.map((g) => {
        const item = g.__data__, path = g.querySelector("path"), points = path.getAttribute("d").slice(1).split("L");
        return {
          of: item.key, above: item.parent.key, points: points.map((each) => each.split(",").map(Number)), color: style(path).stroke,
          width: parseFloat(style(path).strokeWidth), p: item.p, from: middle(item.parent), to: [item.x, item.y], played: item.played,
        };
      }),
      words: lines.flatMap((g) => [...g.querySelectorAll("text")].map((e) => ({ of: g.__data__.key, box: box(e), text: e.textContent }))),
      nodes: nodes.map(({ __data__: i }) => ({ of: i.key, at: [i.x, i.y], node: !!i.body.node, k: i.kind === "node" ? s.tree.infoset[i.id] : -1 })),
      chips: nodes.flatMap((g) => [...g.querySelectorAll(".efg-die, .efg-chip")].map((e) => ({ of: g.__data__.key, box: box(e, g.__data__.x, g.__data__.y) }))),
      bands: [...document.querySelectorAll(".efg-band")].map((g) => {
        const [x, from, to] = g.querySelector(".efg-rim").getAttribute("d").match(/-?[\d.]+/g).map(Number);
        return { k: g.__data__[0], x, from, to, width: parseFloat(style(g.querySelector(".efg-rim")).strokeWidth) };
      }),
    };
  },

  /** How many nodes stand whole in the window, and whether those of the start and of its likeliest move do. */
  inSight() {
    const edge = document.querySelector(".efg-tree").getBoundingClientRect(), { state: s, under } = window.efgView.view;
    const whole = (item) => {
      const box = document.getElementById(`view-${item.key}`)?.getBoundingClientRect();
      if (!box || box.left < edge.left || box.right > edge.right) return false;
      return box.top >= edge.top && box.bottom <= edge.bottom;
    };
    const chance = (item) => (item.kind === "node" ? under(s.now).chances.step(item.id) : -1);
    const { root, order } = s.sight, best = root.children.reduce((a, b) => (chance(b) > chance(a) + 1e-9 ? b : a));
    const shown = order.filter((item) => document.getElementById(`view-${item.key}`));
    return { whole: shown.filter(whole).length, start: whole(root), best: whole(best), scale: s.window.transform.k };
  },

  /** Whether a node, and its likeliest move if it is unfolded, stand whole in the window. */
  familyInSight(key) {
    const { state: s } = window.efgView.view, { children } = s.sight.index.get(key), nodes = children.filter((c) => c.kind === "node");
    const whole = (each) => {
      const element = document.getElementById(`view-${each}`);
      return !!element && Math.max(...this.sticksOut(".efg-tree", element)) <= 0;
    };
    const best = nodes.reduce((a, b) => ((b.p ?? 0) > (a?.p ?? -1) ? b : a), null);
    return [whole(key), !best || whole(best.key)];
  },

  unfold() {
    const { state: s, acts } = window.efgView.view;
    for (let n = 0; n < 40; n++) {
      const item = s.sight.order.find((i) => s.view.size(i.id) > 1 && !s.folds.public.open.has(i.id));
      if (item) acts.toggle(item.key, true);
    }
    acts.zoom(0.01);
  },

  /** As if somebody had unfolded every node of the full tree, with moves never made. */
  unfoldEvery() {
    const s = window.efgView.view.state, { open, all } = s.folds.full;
    for (let n = 0; n < s.tree.count; n++) if (s.tree.size[n] > 1) { open.add(n); all.add(n); }
    window.efgView.view.acts.look("public");
    window.efgView.view.acts.look("full");
  },

  /** As if somebody had unfolded the first deals, node by node, until there is hardly room for more. */
  unfoldDeals(most) {
    const s = window.efgView.view.state, { open } = s.folds.full;
    let inSight = s.sight.order.length;
    for (let n = 0; inSight < most; n++) {
      if (s.tree.size[n] > 1 && !open.has(n)) { open.add(n); inSight += s.view.children(n).length; }
    }
    window.efgView.view.acts.look("public");
    window.efgView.view.acts.look("full");
  },

  /** Of each set's line: where it runs, [x, from y, to y], and whose it is; of each node its circle or square. */
  drawn() {
    const { state: s } = window.efgView.view, items = s.sight.order.filter((item) => item.kind === "node");
    const at = (item) => [item.x, item.y];
    const lines = [...s.sight.sets].flatMap(([k, members]) => members.slice(1).map((item, n) => {
      const [x, y0] = at(members[n]), [x1, y1] = at(item);
      return { k, x, x1, y0, y1 };
    }));
    return { lines, nodes: items.map((item) => ({ k: s.tree.infoset[item.id], at: at(item), id: item.id })) };
  },

  /** All numbers of each solution: reach, values, sets, the public tree's, and the exact ones. */
  numbers() {
    const v = window.efgView.view, s = v.state, all = [];
    for (let n = 0; n < s.tree.data.solutions.length; n++) {
      const { measures: m, chances } = v.under(n);
      const sets = s.tree.data.infosets.map((set, k) => set[0] < 0 ? null : v.infosetFacts(m, k));
      const count = s.view.count, players = s.tree.data.players.map((_, i) => i);
      all.push({
        reach: [...m.reach], values: m.values.map((each) => [...each]), sets,
        publicReach: [...Array(count).keys()].map(chances.reach),
        publicValue: [...Array(count).keys()].map((id) => players.map((i) => chances.value(id, i))),
        exact: [...Array(Math.min(s.tree.count, 400)).keys()].map((node) => v.exact(n, node)),
      });
    }
    return all;
  },

  shades() {
    const style = getComputedStyle(document.querySelector(".efg-viewer"));
    return [0, 1, 2].map((i) => style.getPropertyValue(`--s${i}`).trim());
  },

  // --- letters and their ground

  parts: (text) => (text.match(/[\d.]+/g) ?? []).map(Number),

  /** The colors of an element's letters and of what lies behind them. */
  letters(element) {
    const behind = (e) => this.parts(getComputedStyle(e).backgroundColor);
    let ground = element;
    while (behind(ground)[3] === 0) ground = ground.parentElement;
    return [this.parts(getComputedStyle(element).color).slice(0, 3), behind(ground).slice(0, 3)];
  },

  /** The letters of all cells, what lies behind them and what is shaded over that, and how strongly. */
  cells() {
    const fill = (e) => this.parts(getComputedStyle(e).fill).slice(0, 3);
    const number = (e, name) => Number(e.getAttribute(name));
    return [...document.querySelectorAll(".efg-shade")].map((shade) => {
      const inRow = (kind) => [...shade.parentElement.querySelectorAll(kind)];
      const middle = number(shade, "x") + number(shade, "width") / 2;
      const letters = inRow(".efg-on, .efg-soft").find((e) => Math.abs(number(e, "x") - middle) < 0.01);
      const cell = inRow(".efg-cell").find((e) => number(e, "x") === number(shade, "x"));
      const opacity = number(shade, "fill-opacity");
      return { letters: fill(letters), cell: fill(cell), shade: fill(shade), opacity, text: letters.textContent };
    });
  },

  /** Each text in the tree: its color, what lies behind it, and how opaque it and all around it are. */
  texts() {
    const ground = this.parts(getComputedStyle(document.querySelector(".efg-viewer")).backgroundColor).slice(0, 3);
    return [...document.querySelectorAll(".efg-tree text:not(.efg-letter), .efg-tree tspan")].map((each) => {
      let opacity = 1;
      for (let at = each; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
      return { text: each.textContent, letters: this.parts(getComputedStyle(each).fill).slice(0, 3), opacity, ground };
    });
  },

  /** Each text of a picture with the color of its letters and of what lies beneath their middle. */
  painted() {
    const over = (top, alpha, below) => below.map((part, i) => part + alpha * (top[i] - part));
    const pageOf = (svg) => {
      for (let e = svg; e; e = e.parentElement) {
        const color = this.parts(getComputedStyle(e).backgroundColor);
        if (color[3] !== 0) return color.slice(0, 3);
      }
      return matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255];
    };
    return [...document.querySelectorAll("svg")].flatMap((svg) => {
      const shapes = [...svg.querySelectorAll("rect, circle, path, polygon, ellipse, text")];
      const all = shapes.filter((e) => e.checkVisibility() && !e.closest("defs, clipPath"));
      return all.flatMap((text, n) => {
        const box = text.getBoundingClientRect();
        if (text.tagName !== "text" || !text.textContent.trim() || !box.width) return [];
        let ground = pageOf(svg);
        for (const shape of all.slice(0, n)) {
          const style = getComputedStyle(shape), fill = this.parts(style.fill);
          if (shape.tagName === "text" || style.fill === "none" || fill.length < 3) continue;
          const middle = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
          if (!shape.isPointInFill(middle.matrixTransform(shape.getScreenCTM().inverse()))) continue;
          ground = over(fill, (fill[3] ?? 1) * Number(style.fillOpacity), ground);
        }
        const pieces = text.querySelector("tspan") ? [...text.querySelectorAll("tspan")] : [text];
        const letters = (e) => this.parts(getComputedStyle(e).fill).slice(0, 3);
        return pieces.map((e) => ({ text: e.textContent, letters: letters(e), ground }));
      });
    });
  },

  // --- sizes

  /** The room of a field, and what its placeholder needs. */
  room(field) {
    const pen = document.createElement("canvas").getContext("2d"), style = getComputedStyle(field);
    pen.font = style.font;
    const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
    return [field.clientWidth - padding, pen.measureText(field.placeholder).width];
  },

  headings() {
    const all = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")];
    return all.filter((each) => each.checkVisibility()).map((each) => Number(each.tagName[1]));
  },

  /** Of what a finger meets on the screen, its name, width and height. */
  targets() {
    const box = (e) => {
      const { width, height } = e.getBoundingClientRect();
      return [e.textContent.trim() || e.tagName, width, height];
    };
    const all = "button, select, input, .efg-row .efg-touch, .efg-fold .efg-touch, [role=treeitem] > .efg-touch";
    return [...document.querySelectorAll(`.efg-viewer :is(${all})`)].filter((e) => e.checkVisibility()).map(box);
  },

  /** The sizes of all letters of the tree, in pixels. */
  letterSizes() {
    const k = window.efgView.view.state.window.transform.k, size = (e) => parseFloat(getComputedStyle(e).fontSize);
    const inTree = [...document.querySelectorAll(".efg-tree text")].map((e) => k * size(e));
    const shown = [...document.querySelectorAll(".efg-viewer :not(svg *)")].filter((e) => e.checkVisibility());
    return [...inTree, ...shown.map(size)];
  },

  /** The size of the smallest letter of each picture that is shown, in points. */
  pictureLetters() {
    const size = (t) => parseFloat(getComputedStyle(t).fontSize);
    const shown = [...document.querySelectorAll(".picture svg")].filter((svg) => svg.getBoundingClientRect().width);
    return shown.map((svg) => svg.getScreenCTM().a * 0.75 * Math.min(...[...svg.querySelectorAll("text")].map(size)));
  },
})
