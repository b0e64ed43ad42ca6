/** Styles of components that are imported by others, but never rendered. */
export const UNUSED_STYLES: ReadonlySet<string> = new Set([
  'Addon',
  'Badge-Ribbon',
  'Form-item-item', // for Internet Explorer
  'Input-Search',
  'Menu', // menus are drawn by the styles of Dropdown
  'Message-PurePanel',
  'Notification',
  'Notification-PurePanel',
  'Pagination-bordered',
  'Tree', // filters of table columns
])

const COLOURS = 'blue|purple|cyan|green|magenta|pink|red|orange|yellow|volcano|geekblue|lime|gold'

/** Classes of variants that no page uses. Remove a line when a page starts to use its variant. */
const UNUSED_CLASSES: readonly RegExp[] = [
  /-rtl\b/,
  /-(filled|underlined)\b/,
  /\.ant-(select|picker|input-number|otp)[\w-]*-borderless\b/,
  /-(status-warning|has-feedback)\b/,
  new RegExp(`\\.ant-[a-z]+-(color-)?(${COLOURS})(-inverse)?\\b`),
  /\.ant-col-([a-z]+-)?(\d|order|offset|push|pull)/,
  /\.ant-input-group\b/, // replaced by Space.Compact
  /\.ant-btn-(group|background-ghost|round)\b/,
  /\.ant-segmented-(vertical|shape-round)\b/,
  /\.ant-dropdown-(menu-item-extra|menu-title-content-with-extra|arrow|show-arrow)\b/,
  /\.ant-dropdown-menu-submenu\b/, // the channel menu has its own rules for them
  /\.ant-upload-(list|wrapper \.ant-upload-list|select|animate)/,
  /\.ant-upload-wrapper\.ant-upload-picture/,
  /\.ant-table(-container|-cell)?[\w-]*-bordered\b/,
  /\.ant-table-(filter|summary|tbody-virtual|virtual)\b/,
  /\.ant-table-wrapper:only-child/, // a table inside a cell
  /\.ant-skeleton/, // the console has its own
  /\.ant-tabs-(card|left|right|bottom|editable-card)\b/,
  /\.ant-picker-((quarter|week)-panel|multiple)\b/,
  /\.ant-pagination-(simple|borderless)\b/,
  /-compact-vertical\b/,
  /\.ant-(picker|select|input-number|pagination|segmented|tabs|radio)[\w-]*-(lg|large)\b/,
  /\.ant-message-(topLeft|topRight|bottomLeft|bottom)\b/,
  /\.ant-(cascader|mentions|tree|typography|color-picker)\b/,
  /\.ant-drawer-(top|bottom)\b/,
  /\.ant-(slide-(left|right)|move-(down|left|right)|zoom-(up|down|left|right))-/,
]

/** The rules of a stylesheet without those that only apply to unused variants. */
export function dropUnusedRules(css: string): string {
  const rest = dropRules(css)
  return blocksOf(rest)
    .filter(({ head }) => !head.startsWith('@keyframes') || rest.includes(`animation-name:${head.split(' ')[1]};`))
    .map(({ head, body }) => `${head}{${body}}`)
    .join('')
}

function dropRules(css: string): string {
  let rest = ''
  for (const { head, body } of blocksOf(css)) {
    if (/^@(media|supports|container)/.test(head)) {
      const inner = dropRules(body)
      if (inner !== '') rest += `${head}{${inner}}`
    } else if (head.startsWith('@')) {
      rest += `${head}{${body}}`
    } else {
      const used = selectorsOf(head).filter(
        (selector) => !UNUSED_CLASSES.some((unused) => unused.test(positive(selector))),
      )
      if (used.length > 0) rest += `${used.join()}{${body}}`
    }
  }
  return rest
}

/** A class inside `:not()` is not required. */
const positive = (selector: string): string => selector.replaceAll(/:not\([^()]*\)/g, '')

interface Block {
  head: string
  body: string
}

function blocksOf(css: string): Block[] {
  const blocks: Block[] = []
  let [start, open, depth] = [0, 0, 0]
  for (let at = 0; at < css.length; at += 1) {
    if (css[at] === '{' && depth++ === 0) open = at
    if (css[at] === '}' && --depth === 0) {
      blocks.push({ head: css.slice(start, open).trim(), body: css.slice(open + 1, at) })
      start = at + 1
    }
  }
  return blocks
}

/** Splits at commas outside of parentheses and quotes. */
function selectorsOf(head: string): string[] {
  return head.match(/(?:\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]|[^,([])+/g) ?? []
}
