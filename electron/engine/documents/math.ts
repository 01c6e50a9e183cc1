/** Formulas as LaTeX: Office Math (ECMA-376 part 1, 22.1) and MathML 3. What is not known gives its letters in their order. */
import { childOf, type Element, elementsOf, settingOf, textIn } from './markup.ts';

/** `m:oMath` and what is in it, or MathML's `math`. */
export const latexOf = (math: Element): string =>
  (isMathMl(math) ? mathMl(math) : officeMath(math)).replace(/ {2,}/g, ' ').trim();

const isMathMl = ({ name }: Element): boolean => name === 'math';

/** LaTeX takes one token, or what is in braces. */
const group = (latex: string): string => (/^(?:[A-Za-z0-9]|\\[A-Za-z]+)$/.test(latex) ? latex : `{${latex}}`);
const script = (base: string, mark: '^' | '_', latex: string): string => (latex === '' ? base : `${base}${mark}${group(latex)}`);
/** A base of several tokens keeps its exponent. */
const baseOf = (latex: string): string => (/[+\-=/ ]/.test(latex) && !/^\{.*\}$|^\\left/.test(latex) ? `{${latex}}` : latex);

const symbols: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      [
        'αβγδεζηθικλμνξπρστυφχψω',
        'alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon varphi chi psi omega',
      ],
      ['ΓΔΘΛΞΠΣΥΦΨΩ', 'Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega'],
      [
        '±∓×÷·≤≥≠≈≡∼∝∞∂∇√∈∉⊂⊆∪∩∀∃¬∧∨→←↔⇒⇐⇔…∑∏∫∮∅∘⋅',
        'pm mp times div cdot le ge ne approx equiv sim propto infty partial nabla surd in notin subset subseteq cup cap forall exists neg wedge vee to leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow ldots sum prod int oint emptyset circ cdot',
      ],
    ].flatMap(([signs = '', names = '']) => [...signs].map((sign, i) => [sign, `\\${names.split(' ')[i]}`])),
  ),
  '−': '-',
  '⁡': '',
  '⁢': '',
  '\u200b': '',
};

function letters(text: string): string {
  let latex = '';
  for (const sign of text) {
    const known = symbols[sign] ?? (/[#%&_{}$]/.test(sign) ? `\\${sign}` : sign === '\\' ? '\\backslash' : sign);
    // A command ends before a letter.
    latex += /\\[A-Za-z]+$/.test(latex) && /^[A-Za-z]/.test(known) ? ` ${known}` : known;
  }
  return latex;
}

/** A command is kept apart from a letter after it. */
const glued = (parts: readonly string[]): string =>
  parts.reduce((latex, part) => (/\\[A-Za-z]+$/.test(latex) && /^[A-Za-z]/.test(part) ? `${latex} ${part}` : latex + part), '');

const accents: Readonly<Record<string, string>> = {
  '\u0302': 'hat',
  '^': 'hat',
  '\u0303': 'tilde',
  '~': 'tilde',
  '\u0304': 'bar',
  '\u0305': 'overline',
  '¯': 'bar',
  '\u0307': 'dot',
  '˙': 'dot',
  '\u0308': 'ddot',
  '\u20d7': 'vec',
  '→': 'vec',
  '⏞': 'overbrace',
  '⏟': 'underbrace',
};

const functions =
  /^(?:sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|arcsin|arccos|arctan|log|ln|lg|exp|lim|max|min|sup|inf|det|dim|ker|gcd|arg|deg|Pr)$/;
const named = (latex: string): string => (functions.test(latex) ? `\\${latex}` : latex);

const fenced = (open: string, inside: string, close: string): string => {
  const sign = (each: string) => (each === '' ? '.' : /[{}]/.test(each) ? `\\${each}` : letters(each));
  return `\\left${sign(open)}${inside}\\right${sign(close)}`;
};

// Office Math.

function officeMath(element: Element | undefined): string {
  if (element === undefined) return '';
  return glued(elementsOf(element).map(officePart));
}

function officePart(element: Element): string {
  const part = (name: string) => officeMath(childOf(element, name));
  const parts = (name: string) => elementsOf(element).filter((each) => each.name === name);
  const properties = childOf(element, `${element.name}Pr`);
  switch (element.name) {
    case 'r': {
      const text = letters(
        elementsOf(element)
          .filter(({ name }) => name === 't')
          .map(textIn)
          .join(''),
      );
      const style = childOf(element, 'rPr');
      return childOf(style, 'nor') && text.trim() !== '' ? `\\text{${text}}` : named(text);
    }
    case 'sSup':
      return script(baseOf(part('e')), '^', part('sup'));
    case 'sSub':
      return script(baseOf(part('e')), '_', part('sub'));
    case 'sSubSup':
      return script(script(baseOf(part('e')), '_', part('sub')), '^', part('sup'));
    case 'sPre':
      return `${script(script('{}', '_', part('sub')), '^', part('sup'))}${part('e')}`;
    case 'f': {
      const [above, below] = [part('num'), part('den')];
      const type = settingOf(properties, 'type');
      if (type === 'lin') return `${group(above)}/${group(below)}`;
      return type === 'noBar' ? `\\binom{${above}}{${below}}` : `\\frac{${above}}{${below}}`;
    }
    case 'rad': {
      const degree = part('deg');
      return degree === '' ? `\\sqrt{${part('e')}}` : `\\sqrt[${degree}]{${part('e')}}`;
    }
    case 'nary': {
      const sign = letters(settingOf(properties, 'chr') ?? '∫');
      return `${script(script(sign, '_', part('sub')), '^', part('sup'))} ${part('e')}`;
    }
    case 'd': {
      const [open, between, close] = [
        settingOf(properties, 'begChr'),
        settingOf(properties, 'sepChr'),
        settingOf(properties, 'endChr'),
      ];
      return fenced(
        open ?? '(',
        parts('e')
          .map(officeMath)
          .join(letters(between ?? '|')),
        close ?? ')',
      );
    }
    case 'func':
      return glued([named(part('fName').trim()), `{${part('e')}}`]);
    case 'limLow':
      return script(named(part('e')), '_', part('lim'));
    case 'limUpp':
      return script(named(part('e')), '^', part('lim'));
    case 'acc':
      return `\\${accents[settingOf(properties, 'chr') ?? '\u0302'] ?? 'hat'}{${part('e')}}`;
    case 'bar':
      return `\\${settingOf(properties, 'pos') === 'top' ? 'overline' : 'underline'}{${part('e')}}`;
    case 'groupChr':
      return `\\${accents[settingOf(properties, 'chr') ?? '⏟'] ?? 'underbrace'}{${part('e')}}`;
    case 'm':
      return `\\begin{matrix}${parts('mr')
        .map((row) => elementsOf(row).map(officeMath).join(' & '))
        .join(' \\\\ ')}\\end{matrix}`;
    case 'eqArr':
      return `\\begin{aligned}${parts('e').map(officeMath).join(' \\\\ ')}\\end{aligned}`;
    default:
      return /Pr$/.test(element.name) ? '' : officeMath(element);
  }
}

// MathML.

function mathMl(element: Element): string {
  const inner = elementsOf(element).filter(({ name }) => !/^annotation/.test(name));
  const all = () => glued(inner.map(mathMl));
  const [first = '', second = '', third = ''] = inner.map(mathMl);
  switch (element.name) {
    case 'mi':
      return named(letters(textIn(element).trim()));
    case 'mn':
    case 'mo':
    case 'ms':
      return letters(textIn(element).trim());
    case 'mtext':
      return `\\text{${letters(textIn(element))}}`;
    case 'mspace':
      return ' ';
    case 'msup':
      return script(baseOf(first), '^', second);
    case 'msub':
    case 'munder':
      return script(baseOf(first), '_', second);
    case 'mover': {
      const accent = accents[inner[1] === undefined ? '' : textIn(inner[1]).trim()];
      return accent === undefined ? script(baseOf(first), '^', second) : `\\${accent}{${first}}`;
    }
    case 'msubsup':
    case 'munderover':
      return script(script(baseOf(first), '_', second), '^', third);
    case 'mfrac':
      return `\\frac{${first}}{${second}}`;
    case 'msqrt':
      return `\\sqrt{${all()}}`;
    case 'mroot':
      return `\\sqrt[${second}]{${first}}`;
    case 'mfenced': {
      const { open = '(', close = ')', separators = ',' } = element.attributes;
      return fenced(open, inner.map(mathMl).join(separators.trim()[0] ?? ''), close);
    }
    case 'mtable':
      return `\\begin{matrix}${inner.map(mathMl).join(' \\\\ ')}\\end{matrix}`;
    case 'mtr':
    case 'mlabeledtr':
      return inner.map(mathMl).join(' & ');
    case 'mphantom':
      return '';
    default:
      return inner.length === 0 ? letters(textIn(element).trim()) : all();
  }
}

// Formulas of Word's EQ fields: `\f(1,2)`, `\r(3,x)`, `\s\up8(2)` (ECMA-376 part 1, 17.16.5.22).

/** Deeper ones give their letters. */
const DEEPEST_FIELD = 50;

export function latexOfField(instruction: string): string {
  let at = 0;
  const listIn = (depth: number): string[] => {
    const list: string[] = [''];
    const add = (latex: string) => {
      list[list.length - 1] += latex;
    };
    for (; at < instruction.length && instruction[at] !== ')'; ) {
      const [whole = '', name = '', options = ''] =
        /^\\([a-z])([^()\\,;]*(?:\\[^()\\,;]+)*)(?=\()/i.exec(instruction.slice(at, at + 100)) ?? [];
      if (name !== '' && depth < DEEPEST_FIELD) {
        at += whole.length + 1;
        const parts = listIn(depth + 1);
        at += 1;
        add(fieldPart(name.toLowerCase(), options, parts));
      } else if (/[,;]/.test(instruction[at] as string) && depth > 0) {
        list.push('');
        at += 1;
      } else {
        if (instruction[at] === '\\' && at + 1 < instruction.length) at += 1;
        add(letters(instruction[at] as string));
        at += 1;
      }
    }
    return list.map((each) => each.trim());
  };
  const found = listIn(0).join('');
  return `${found}${letters(instruction.slice(at))}`.trim();
}

function fieldPart(name: string, options: string, parts: readonly string[]): string {
  const [first = '', second = ''] = parts;
  if (name === 'f' && parts.length === 2) return `\\frac{${first}}{${second}}`;
  if (name === 'r') return parts.length === 2 && first !== '' ? `\\sqrt[${first}]{${second}}` : `\\sqrt{${parts.join('')}}`;
  if (name === 's') return `${/do/i.test(options) ? '_' : '^'}{${parts.join(' ')}}`;
  if (name === 'b') return `\\left(${parts.join(' ')}\\right)`;
  return parts.join(' ');
}
