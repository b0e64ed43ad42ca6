import type { ESTree, Plugin } from 'vite'

/** What a caller has to know of a call. The rest checks and describes it, and only the server does that. */
const NEEDED = new Set(['method', 'path', 'access', 'bare', 'done'])

/**
 * Leaves the schemas of the contract out of the browser, and with them the library they are made of: the console goes by
 * their types. A schema that some screen does check with is still there for it.
 */
export function contractInBrowser(): Plugin {
  return {
    name: 'contract-in-browser',
    apply: 'build',
    transform: {
      filter: { id: /packages[\\/]contract[\\/]src[\\/].*\.ts$/ },
      handler(code) {
        const changes = constants(this.parse(code)).map((value) => changed(value, code))
        return { code: apply(changes, code), map: null }
      },
    },
  }
}

type Expression = ESTree.Expression
interface Change {
  start: number
  end: number
  text: string
}

/** The values of a module's constants. */
function constants({ body }: ESTree.Program): Expression[] {
  return body
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
    .flatMap((statement) => (statement?.type === 'VariableDeclaration' ? statement.declarations : []))
    .flatMap(({ init }) => init ?? [])
}

function changed(value: Expression, code: string): Change {
  const { start, end } = value
  const text = code.slice(start, end)
  const definition = definitionOf(value)
  if (definition) return { start, end, text: `({${neededParts(definition, code).join()}})` }
  // Bundlers keep calls and spreads that are not marked as free of side effects, even if nothing uses their result.
  return { start, end, text: /\(|\.\.\./.test(text) ? `/* @__PURE__ */ (() => (${text}))()` : text }
}

function definitionOf(value: Expression): ESTree.ObjectExpression | null {
  if (value.type !== 'CallExpression' || value.callee.type !== 'Identifier' || value.callee.name !== 'endpoint')
    return null
  const [definition] = value.arguments
  return definition?.type === 'ObjectExpression' ? definition : null
}

function neededParts({ properties }: ESTree.ObjectExpression, code: string): string[] {
  return properties
    .filter((part) => part.type === 'SpreadElement' || (part.key.type === 'Identifier' && NEEDED.has(part.key.name)))
    .map(({ start, end }) => code.slice(start, end))
}

function apply(changes: readonly Change[], code: string): string {
  return changes.reduceRight((rest, { start, end, text }) => rest.slice(0, start) + text + rest.slice(end), code)
}
