/** All colours of the product. Used by the styles, the theme of Ant Design and `/dev/ui`. */
export interface Palette {
  page: string
  surface: string
  raised: string
  border: string
  divider: string
  /** Borders of form controls, which must be visible without hover. */
  control: string
  text: string
  secondary: string
  /** For decoration and disabled elements. Not enough contrast for text. */
  faint: string
  primary: string
  primaryHover: string
  primaryWash: string
  onPrimary: string
  good: string
  goodWash: string
  warn: string
  warnWash: string
  bad: string
  badWash: string
  info: string
  infoWash: string
  /** Chart colours, strongest first: the five largest series, then all others. */
  c1: string
  c2: string
  c3: string
  c4: string
  c5: string
  c6: string
  shadow: string
}

export type ThemeMode = 'light' | 'dark'

export const PALETTES: Record<ThemeMode, Palette> = {
  light: {
    page: '#f6f7f9',
    surface: '#ffffff',
    raised: '#ffffff',
    border: '#e3e6eb',
    divider: '#eef0f3',
    control: '#c4cad4',
    text: '#131722',
    secondary: '#5a6475',
    faint: '#8a94a6',
    primary: '#0b6bcb',
    primaryHover: '#0958a8',
    primaryWash: '#e8f2fc',
    onPrimary: '#ffffff',
    good: '#16804a',
    goodWash: '#eaf7f0',
    warn: '#aa5909',
    warnWash: '#fdf4e7',
    bad: '#c4314b',
    badWash: '#fdeef0',
    info: '#4f5bd5',
    infoWash: '#eff0fd',
    c1: '#0a4f96',
    c2: '#0b6bcb',
    c3: '#4b98e2',
    c4: '#8bbfee',
    c5: '#c2dcf6',
    c6: '#d3d9e1',
    shadow: '0 1px 2px rgb(19 23 34 / 5%), 0 8px 24px rgb(19 23 34 / 8%)',
  },
  dark: {
    page: '#0b0d12',
    surface: '#12151c',
    raised: '#181c25',
    border: '#252a35',
    divider: '#1d212b',
    control: '#3d4555',
    text: '#e8ebf1',
    secondary: '#a2acbd',
    faint: '#6d7789',
    primary: '#4aa3ff',
    primaryHover: '#76b9ff',
    primaryWash: '#10253c',
    onPrimary: '#06121f',
    good: '#3ecf8e',
    goodWash: '#0f2a20',
    warn: '#f0a53a',
    warnWash: '#2c2110',
    bad: '#ff6b81',
    badWash: '#34161c',
    info: '#8f98ff',
    infoWash: '#1c1f3d',
    c1: '#8ec2fd',
    c2: '#519ff2',
    c3: '#2a7ed1',
    c4: '#205f9f',
    c5: '#17426f',
    c6: '#565f70',
    shadow: '0 1px 2px rgb(0 0 0 / 40%), 0 8px 24px rgb(0 0 0 / 45%)',
  },
}

export const FONT_FAMILY = `'Inter Variable', 'PingFang SC', 'Noto Sans SC', 'Noto Sans CJK SC', 'Microsoft YaHei', sans-serif`
export const MONO_FAMILY = `'JetBrains Mono', ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Noto Sans SC', 'Noto Sans CJK SC', monospace`

/** The palette as CSS variables, with the rules that the page needs before its stylesheets load. */
export function paletteStyles(): string {
  return [
    `:root{color-scheme:light;--font:${FONT_FAMILY};--mono:${MONO_FAMILY};${variables(PALETTES.light)}}`,
    `:root[data-theme=dark]{color-scheme:dark;${variables(PALETTES.dark)}}`,
    'body{margin:0;background:var(--page);color:var(--text)}',
    '.boot{min-height:100vh;display:grid;place-items:center}',
  ].join('\n')
}

function variables(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, value]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}`)
    .join(';')
}
