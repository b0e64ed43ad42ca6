import type { OptionFacts, OptionKey } from '@tidegate/contract/api'
import type { Texts } from '../../../locales/texts.ts'

export type Tab = OptionFacts['tab']
export const TABS = ['operation', 'ratelimit', 'models', 'system', 'other'] as const satisfies readonly Tab[]

/** The key of the section under `parts` of the texts, and its anchor. */
export type SectionId = keyof Texts['settings']['parts']
export type Unit = keyof Texts['settings']['units']

/** An option in the form. The server adds its kind and limits. */
export interface Field {
  readonly key: OptionKey
  readonly unit?: Unit
  /** The switch that turns this option on. Without it the option has no effect and cannot be edited. */
  readonly needs?: OptionKey
  /** A control for this value instead of that of its kind. */
  readonly control?: 'group' | 'groups' | 'chats' | 'inputPrice' | 'outputPrice'
  /** A multi-line text. `code` is monospaced. */
  readonly lines?: 'prose' | 'code'
  /** The JSON text is a list, not an object. */
  readonly isList?: true
  /** The URL can be a path of this site. */
  readonly takesPath?: true
  /** A path of this site or an https address: browsers block http images. */
  readonly isImage?: true
  /** The pattern of a text or of each entry of a list, and the error message. */
  readonly pattern?: { readonly expression: RegExp; readonly message: keyof Texts['settings']['errors'] }
  /** Replaces the usual error message about limits. */
  readonly message?: keyof Texts['settings']['errors']
}

export interface Section {
  readonly tab: Tab
  readonly id: SectionId
  readonly fields: readonly Field[]
}

export const section = (tab: Tab, id: SectionId, fields: readonly (OptionKey | Field)[]): Section => ({
  tab,
  id,
  fields: fields.map((field) => (typeof field === 'string' ? { key: field } : field)),
})
