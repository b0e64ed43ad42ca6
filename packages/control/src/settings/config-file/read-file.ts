import { errorMessage, isOptionKey, type OptionKey, type LocalizedText } from '@tidegate/contract'
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml'
import { CHANNEL_FIELDS, NEEDS } from './field-values.ts'
import type { Problems } from './problems.ts'

/** A value with its line. */
export interface FileValue {
  readonly line: number
  readonly value: unknown
}

export interface FileOption extends FileValue {
  readonly key: OptionKey
}

export interface FileChannel {
  readonly name: string
  readonly line: number
  /** Fields by their file names. */
  readonly fields: ReadonlyMap<string, FileValue>
}

/** A parsed file; values are validated later. */
export interface ConfigFile {
  readonly options: readonly FileOption[]
  /** Virtual models by name; undefined without this section. */
  readonly models: ReadonlyMap<string, FileValue> | undefined
  /** Undefined without this section. */
  readonly channels: readonly FileChannel[] | undefined
}

/** Version of the file format. */
export const FILE_VERSION = 1
/** The option that stores virtual models; files have a separate section for them. */
export const MAPPING_KEY = 'global_model_mapping'

const NOTHING: ConfigFile = { options: [], models: undefined, channels: undefined }
const CHANNEL_NAMES: ReadonlySet<string> = new Set([
  'name',
  'status',
  'keys',
  ...CHANNEL_FIELDS.map(({ name }) => name),
])

export function readFile(yaml: string, problems: Problems): ConfigFile {
  const counter = new LineCounter()
  const document = parseDocument(yaml, { lineCounter: counter, prettyErrors: false })
  const mistakes = [...document.errors, ...document.warnings]
  for (const { pos, message } of mistakes) problems.add(lineAt(counter, pos[0]), '', { zh: message, en: message })
  if (mistakes.length > 0) return NOTHING
  const reader = new Reader(document, counter, problems)
  const sections = new Map(reader.entries(document.contents, '', 1))
  const version = sections.get('tidegate')
  if (version?.value !== FILE_VERSION) problems.add(version?.line ?? 1, 'tidegate', NEEDS_VERSION)
  for (const [name, { line }] of sections) if (!SECTIONS.has(name)) problems.add(line, name, UNKNOWN_SECTION)
  return {
    options: readOptions(reader.section(sections, 'options'), problems),
    models: reader.section(sections, 'models'),
    channels: reader.list(sections, 'channels')?.flatMap((item) => readChannel(reader, item, problems)),
  }
}

const SECTIONS: ReadonlySet<string> = new Set(['tidegate', 'options', 'models', 'channels'])

function readOptions(entries: ReadonlyMap<string, FileValue> | undefined, problems: Problems): FileOption[] {
  return [...(entries ?? [])].flatMap(([key, input]) => {
    if (key === MAPPING_KEY) problems.add(input.line, `options.${key}`, BELONGS_TO_MODELS)
    else if (isOptionKey(key)) return [{ key, ...input }]
    else problems.add(input.line, `options.${key}`, unknownOption(key))
    return []
  })
}

function readChannel(reader: Reader, item: Item, problems: Problems): FileChannel[] {
  const fields = new Map(reader.entries(item.node, 'channels', item.line))
  const input = fields.get('name')
  const name = typeof input?.value === 'string' ? input.value.trim() : ''
  const place = name === '' ? 'channels' : `channels.${name}`
  for (const [field, { line }] of fields)
    if (!CHANNEL_NAMES.has(field)) problems.add(line, `${place}.${field}`, UNKNOWN_FIELD)
  if (name !== '') return [{ name, line: item.line, fields }]
  problems.add(input?.line ?? item.line, place, NEEDS_NAME)
  return []
}

interface Item {
  readonly node: Node | null
  readonly line: number
}

/** Reads a YAML document with line numbers. */
class Reader {
  readonly #document: Document
  readonly #counter: LineCounter
  readonly #problems: Problems

  constructor(document: Document, counter: LineCounter, problems: Problems) {
    this.#document = document
    this.#counter = counter
    this.#problems = problems
  }

  /** Entries of a map; anything else is a problem. */
  entries(node: unknown, place: string, line: number): [string, FileValue][] {
    const map = this.#resolve(node)
    if (!isMap(map)) {
      this.#problems.add(line, place, NEEDS.map)
      return []
    }
    return map.items.map((pair) => {
      const key = this.#resolve(pair.key)
      const keyLine = this.#lineOf(key, line)
      return [String(isScalar(key) ? key.value : key), { line: keyLine, value: this.#plain(pair.value, keyLine) }]
    })
  }

  /** Undefined for a missing or empty section. */
  section(sections: ReadonlyMap<string, FileValue>, name: string): ReadonlyMap<string, FileValue> | undefined {
    const input = sections.get(name)
    if (input?.value === undefined || input.value === null) return undefined
    return new Map(this.entries(this.#document.get(name, true), name, input.line))
  }

  list(sections: ReadonlyMap<string, FileValue>, name: string): Item[] | undefined {
    const input = sections.get(name)
    if (input?.value === undefined || input.value === null) return undefined
    const list = this.#resolve(this.#document.get(name, true))
    if (isSeq(list)) return list.items.map((item) => ({ node: item as Node, line: this.#lineOf(item, input.line) }))
    this.#problems.add(input.line, name, NEEDS.list)
    return []
  }

  #resolve(node: unknown): unknown {
    return isAlias(node) ? node.resolve(this.#document) : node
  }

  #lineOf(node: unknown, otherwise: number): number {
    const start = (node as Partial<Node> | null)?.range?.[0]
    return start === undefined ? otherwise : lineAt(this.#counter, start)
  }

  /** Nested aliases can grow exponentially; the library stops at a hundred. */
  #plain(node: unknown, line: number): unknown {
    try {
      return (node as Node | null)?.toJS(this.#document) ?? null
    } catch (error) {
      const message = (error as Error).message
      this.#problems.add(line, '', { zh: message, en: message })
      return null
    }
  }
}

function lineAt(counter: LineCounter, offset: number): number {
  return Math.max(counter.linePos(offset).line, 1)
}

const NEEDS_VERSION: LocalizedText = {
  zh: `文件需要写明 “tidegate: ${FILE_VERSION}”，这是本版本认识的文件格式`,
  en: `the file must say "tidegate: ${FILE_VERSION}", the shape that this build reads`,
}
const UNKNOWN_SECTION: LocalizedText = {
  zh: '没有这个部分；文件里可以有 options、models 和 channels',
  en: 'there is no such section; a file has options, models and channels',
}
const BELONGS_TO_MODELS: LocalizedText = { zh: '请写在 models 部分', en: 'this belongs in the section models' }
const UNKNOWN_FIELD: LocalizedText = { zh: '渠道没有这个字段', en: 'a channel has no such field' }
const NEEDS_NAME: LocalizedText = { zh: '渠道需要名称', en: 'a channel needs a name' }

function unknownOption(key: string): LocalizedText {
  return { zh: errorMessage('option_unknown', 'zh', { key }), en: errorMessage('option_unknown', 'en', { key }) }
}
