import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Rolldown } from 'vite'

const SOURCES = join(import.meta.dirname, '../src')
const MAIN = join(SOURCES, 'app/main.tsx')
/** Imports of components. */
const KIT_IMPORT = /import\s*\{([^}]*)\}\s*from\s*["'](?:antd|[./\w]*\bkit\/index\.ts)["']/g
/** Imports every component. */
const BARREL = /antd[\\/]es[\\/]index\.js$/
const OWN_PARTS = /console[\\/]src[\\/](api|app|components|lib|ui)[\\/]/
/** Stylesheets that `app/base.css` changes, so they must come before it. */
const FIELD_STYLES = /antd-style:(Form|Input-\w+)\.css$/
/** Also part of the locales that are loaded at the start. */
const KIT_LOCALE = /@rc-component[\\/][a-z]+[\\/](es|lib)[\\/]locale[\\/]/
const CONTRACT = /packages[\\/]contract[\\/]/
/** Changes rarely, so browsers keep it cached across releases. */
const FRAMEWORK =
  /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack|i18next|react-i18next|i18next-browser-languagedetector|zustand)[\\/]/
const ICONS = /node_modules[\\/]@ant-design[\\/]icons(-svg)?[\\/]/
/** Pages before the login. They have forms, but no tables and no dates. */
const PUBLIC_PAGES = /features[\\/]auth[\\/](login|register|reset-password|oauth-callback)[\\/]/
const FEATURE = /console[\\/]src[\\/]features[\\/]([\w-]+)[\\/]/
/** Modules that at least this many pages share are in one file. */
const MANY_PAGES = 9
/** Components that belong to lists, although fewer pages use them. */
const LIST_PARTS = ['dropdown', 'popover', 'checkbox', 'badge']
const CONTROLS = ['switch', 'auto-complete', 'segmented', 'input-number']
/** Large, and used by few lists. */
const DATES = 'date-picker'

type GetModule = (id: string) => { importedIds: string[]; dynamicallyImportedIds: string[]; code: string | null } | null
type Modules = ReadonlySet<string>

/**
 * Splits the scripts, and with them the styles, into few files: `framework`, `icons`, `start` (what every page needs),
 * `forms`, `lists`, and one file per page. A file only imports files that precede it in this list. Code that
 * is loaded later, such as drawers and dialogs, is split by Rolldown.
 */
export function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  let names: Map<string, string> | undefined
  const nameOf = (id: string, context: { getModuleInfo: GetModule }) => {
    names ??= nameChunks(new ModuleGraph((module) => context.getModuleInfo(module)))
    return names.get(id) ?? null
  }
  return [{ name: nameOf, debugName: 'pages', includeDependenciesRecursively: false }]
}

function nameChunks(graph: ModuleGraph): Map<string, string> {
  const pages = graph.pages().map((id) => ({ id, modules: graph.reach([id]) }))
  const publicPages = pages.filter(({ id }) => PUBLIC_PAGES.test(id))
  const start = graph.reach([MAIN])
  const all = new Set([...start, ...pages.flatMap(({ modules }) => [...modules])])
  const matching = (pattern: RegExp) => [...all].filter((id) => pattern.test(id))

  const names = new Map<string, string>()
  const put = (name: string, modules: Iterable<string>) => {
    for (const id of modules) if (!names.has(id)) names.set(id, name)
  }
  put('framework', graph.reach(matching(FRAMEWORK)))
  put('icons', graph.reach(matching(ICONS)))
  // The main module awaits texts and the locale, which import `start`. Inside `start` it would wait for itself.
  put(
    'start',
    [...start].filter((id) => id !== MAIN),
  )
  put('start', graph.reach([...matching(CONTRACT), ...matching(KIT_LOCALE)]))
  put('start', matching(FIELD_STYLES))
  const entries = graph.laterImports(all).map((id) => ({ modules: graph.reach([id]) }))
  put(
    'forms',
    sharedBy(entries, 2).filter((id) => publicPages.some(({ modules }) => modules.has(id))),
  )
  const isPlaced = (id: string) => names.has(id) || id.startsWith(SOURCES)
  const placeShared = (name: string) =>
    put(
      name,
      sharedBy(pages, 2).filter((id) => OWN_PARTS.test(id) && [...graph.reach([id])].every(isPlaced)),
    )
  placeShared('forms')
  put('lists', sharedBy(pages, MANY_PAGES))
  put('lists', graph.reach(LIST_PARTS.map(moduleOf)))
  placeShared('lists')
  put('controls', graph.reach(CONTROLS.map(moduleOf)))
  put('dates', graph.reach([moduleOf(DATES)]))
  placeShared('dates')
  // Modules that pages of one feature share are in one file.
  for (const id of sharedBy(pages, 2)) {
    const feature = FEATURE.exec(id)?.[1]
    if (feature) put(`${feature}-shared`, [id])
  }
  for (const { id, modules } of pages) {
    const own = [...modules].filter((module) => pages.every((page) => page.id === id || !page.modules.has(module)))
    const later = graph.reach(graph.laterImports(own))
    const shared = `${FEATURE.exec(id)?.[1]}-shared`
    put(
      [...names.values()].includes(shared) ? shared : `${/([^\\/]+)\.tsx?$/.exec(id)![1]}-parts`,
      own.filter((module) => later.has(module)),
    )
  }
  return names
}

/** The modules that at least `count` pages import. */
function sharedBy(pages: readonly { modules: Modules }[], count: number): string[] {
  const uses = new Map<string, number>()
  for (const { modules } of pages) for (const id of modules) uses.set(id, (uses.get(id) ?? 0) + 1)
  return [...uses].flatMap(([id, times]) => (times >= count ? [id] : []))
}

/** The import graph. An import of the kit counts as imports of the named components. */
class ModuleGraph {
  readonly #getModule: GetModule
  readonly #imports = new Map<string, string[]>()

  constructor(getModule: GetModule) {
    this.#getModule = getModule
  }

  /** The modules and all their static imports. */
  reach(from: readonly string[]): Modules {
    const reached = new Set<string>()
    const left = [...from]
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      if (reached.has(id)) continue
      reached.add(id)
      let imports = this.#imports.get(id)
      if (imports === undefined) this.#imports.set(id, (imports = this.#importsOf(id)))
      left.push(...imports)
    }
    return reached
  }

  /** The modules that routes load. */
  pages(): readonly string[] {
    return this.laterImports([join(SOURCES, 'app/route-table.ts')])
  }

  /** The modules that are imported dynamically. */
  laterImports(modules: Iterable<string>): readonly string[] {
    return [...new Set([...modules].flatMap((id) => this.#getModule(id)?.dynamicallyImportedIds ?? []))]
  }

  #importsOf(id: string): string[] {
    if (BARREL.test(id)) return []
    const { importedIds = [], code } = this.#getModule(id) ?? {}
    const parts = [...(code ?? '').matchAll(KIT_IMPORT)].flatMap(([, names]) => names!.split(','))
    return [...importedIds, ...parts.map((part) => moduleOf(folderOf(part.trim().split(' ')[0]!)))]
  }
}

const folderOf = (component: string): string =>
  component.replaceAll(/(?<=[a-z])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, (letter) => `-${letter}`).toLowerCase()

const { resolve } = createRequire(import.meta.url)
const moduleOf = (folder: string): string => resolve(`antd/es/${folder}/index.js`)
