import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createElement, type FunctionComponent, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { ESTree, Plugin } from 'vite'
import { dropUnusedRules, UNUSED_STYLES } from './unused-antd-styles.ts'

const STYLESHEET = /^\0?antd-style:([\w-]+)\.css$/
const HOOK_MAKER = /^gen(StyleHooks|SubStyleComponent|ComponentStyleHook)$/

/**
 * Compiles the styles of Ant Design into stylesheets. Its style modules import the CSS that they would otherwise
 * generate at run time. CSS is therefore split like the scripts, and the code that generates it is removed.
 */
export function antdStyles(): Plugin {
  const styles = newStyleReader()
  return {
    name: 'antd-styles',
    apply: 'build',
    resolveId: { filter: { id: STYLESHEET }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: STYLESHEET },
      handler: (id) => dropUnusedRules(styles.read(STYLESHEET.exec(id)![1]!)),
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        const wrong =
          chunk.type === 'chunk' ? chunk.moduleIds.find((id) => styles.isWrong(STYLESHEET.exec(id)?.[1])) : undefined
        if (wrong) this.error(`The styles differ from those that Ant Design publishes: ${wrong}`)
      }
    },
    transform: {
      filter: { id: /node_modules[\\/]antd[\\/]es[\\/].*style.*\.js$/ },
      handler(code) {
        return { code: importStylesheets(this.parse(code), code), map: null }
      },
    },
  }
}

/** Replaces the functions that generate CSS with an import of the CSS. */
function importStylesheets(program: ESTree.Program, code: string): string {
  const calls = findHookMakers(program)
  const names = calls.flatMap((call) => stylesOf(call)).filter((name) => !UNUSED_STYLES.has(name))
  const imports = [...new Set(['Shared', ...names])].map((name) => `import 'antd-style:${name}.css'\n`)
  const rest = calls.reduceRight((text, { start, end }) => `${text.slice(0, start)}() => []${text.slice(end)}`, code)
  return calls.length === 0 ? code : imports.join('') + rest
}

/** The styles of a part come after those of its component: `Button-compact` after `Button`. */
const stylesOf = ({ name, isPart }: HookMaker): string[] => (isPart ? [name.split('-')[0]!, name] : [name])

interface HookMaker {
  name: string
  isPart: boolean
  /** Source position of the function that generates the CSS. */
  start: number
  end: number
}

function findHookMakers(node: unknown): HookMaker[] {
  if (Array.isArray(node)) return node.flatMap(findHookMakers)
  if (typeof node !== 'object' || node === null) return []
  const call = node as ESTree.CallExpression
  const maker = call.type === 'CallExpression' && call.callee.type === 'Identifier' ? call.callee.name : ''
  if (!HOOK_MAKER.test(maker)) return Object.values(node).flatMap(findHookMakers)
  const [name, write] = call.arguments
  return [{ name: nameOf(name!), isPart: maker === 'genSubStyleComponent', start: write!.start, end: write!.end }]
}

function nameOf(name: ESTree.Argument): string {
  const cells = name.type === 'ArrayExpression' ? name.elements : [name]
  return cells.map((cell) => (cell as ESTree.StringLiteral).value).join('-')
}

/** Class prefixes that do not follow from the name of a component. */
const PREFIXES: Readonly<Record<string, readonly string[]>> = {
  Button: ['btn'],
  DatePicker: ['picker'],
  QRCode: ['qrcode'],
  Grid: ['row', 'col'],
  Addon: ['space-addon'],
  'Input-OTP': ['otp'],
  'Input-Search': ['input-search'],
  'Space-Compact': ['space-compact'],
}

/** Styles of every component: links and icons. */
const SHARED = /%(Shared|ant-design-icons)%/

type StyleHook = (prefix: string, root: string, isInjected?: boolean) => unknown
interface StyleCache {
  cache: Map<string, unknown>
}
interface CssInJs {
  StyleProvider: FunctionComponent<{ cache: StyleCache; children?: ReactNode }>
  createCache(): StyleCache
  extractStyle(cache: StyleCache, options: { plain: true; types: 'style' }): string
}

/** Extracts the CSS that the style hooks of Ant Design generate. */
function newStyleReader() {
  const require = createRequire(import.meta.url)
  const requireOfKit = createRequire(require.resolve('antd/package.json'))
  let kit: ReturnType<typeof loadKit> | undefined
  /** Styles that were read with a wrong prefix. Only an error if the styles are used. */
  const wrong = new Set<string>()

  function loadKit() {
    const hooks = recordHooks(require('antd/lib/theme/util/genStyleUtils.js') as Record<string, unknown>)
    const { ConfigProvider } = require('antd') as typeof import('antd')
    const published = readFileSync(require.resolve('antd/dist/antd.css'), 'utf8')
    const publishedRules = new Set(rulesOf(published))
    return { hooks, ConfigProvider, published, publishedRules, ...(requireOfKit('@ant-design/cssinjs') as CssInJs) }
  }

  function write(hook: StyleHook, prefix: string, root: string, isWanted: (key: string) => boolean): string {
    const { ConfigProvider, StyleProvider, createCache, extractStyle } = kit!
    const cache = createCache()
    const Probe = () => {
      hook(prefix, root, true)
      return null
    }
    renderToStaticMarkup(
      createElement(
        StyleProvider,
        { cache },
        createElement(ConfigProvider, { theme: { hashed: false } }, createElement(Probe)),
      ),
    )
    for (const key of cache.cache.keys()) if (!isWanted(key)) cache.cache.delete(key)
    return extractStyle(cache, { plain: true, types: 'style' }).replace(/\.data-ant-cssinjs-cache-path\{[^}]*\}$/, '')
  }

  function read(name: string): string {
    kit ??= loadKit()
    const { hooks, published, publishedRules } = kit
    if (name === 'Shared') return write(hooks.get('Button')![0]!, 'ant-btn', 'ant-btn', (key) => SHARED.test(key))
    const [component = ''] = name.split('-')
    // The first hook that runs defines the units of a component. In a browser it is the component's own hook.
    if (name !== component && hooks.has(component)) read(component)
    const prefixes = PREFIXES[name] ?? PREFIXES[component] ?? [kebabCase(component)]
    // Some hooks are created when they are first called.
    const known = hooks.get(name) ?? [require(`antd/lib/${kebabCase(component)}/style`).default as StyleHook]
    return known
      .map((hook, at) => {
        const prefix = `ant-${prefixes[at] ?? prefixes[0]}`
        for (const root of [prefix, `${prefix}-css-var`, `${prefix}-wrapper`]) {
          const css = write(hook, prefix, root, (key) => !SHARED.test(key))
          if (rulesOf(css).every((rule) => publishedRules.has(rule) || published.includes(rule))) return css
        }
        wrong.add(name)
        return ''
      })
      .join('')
  }
  return { read, isWrong: (name: string | undefined) => name !== undefined && wrong.has(name) }
}

/** Wraps the factories of style hooks, so that each hook is recorded under its name. */
function recordHooks(makers: Record<string, unknown>): Map<string, StyleHook[]> {
  const hooks = new Map<string, StyleHook[]>()
  for (const maker of ['genStyleHooks', 'genSubStyleComponent', 'genComponentStyleHook']) {
    const make = makers[maker] as (name: string | string[], ...rest: unknown[]) => StyleHook
    makers[maker] = (name: string | string[], ...rest: unknown[]) => {
      const made = make(name, ...rest)
      const hook: StyleHook =
        maker === 'genSubStyleComponent'
          ? (prefixCls, rootCls) => (made as unknown as FunctionComponent<object>)({ prefixCls, rootCls })
          : made
      const key = [name].flat().join('-')
      hooks.set(key, [...(hooks.get(key) ?? []), hook])
      return made
    }
  }
  return hooks
}

const kebabCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter, at: number) => `${at > 0 ? '-' : ''}${letter.toLowerCase()}`)

/** The rules without animations, which are shared and published once. */
const rulesOf = (css: string): readonly string[] =>
  css.replaceAll(/@keyframes [^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}/g, '').match(/[^{}]+\{[^{}]*\}/g) ?? []
