import type { OptionFacts, OptionKey } from '@tidegate/contract/api'
import type { Texts } from '../../../locales/texts.ts'

export type Tab = OptionFacts['tab']
export const TABS = ['operation', 'ratelimit', 'models', 'system', 'other'] as const satisfies readonly Tab[]

/** Key under `parts` of the settings' texts; also the anchor of the section. */
export type SectionId = keyof Texts['settings']['parts']
export type Unit = keyof Texts['settings']['units']

/** What the form adds to the kind and the limits that the server tells: a unit, or how a text is entered. */
export interface Field {
  readonly key: OptionKey
  readonly unit?: Unit
  /** A text of several lines; `code` in the font of code. */
  readonly lines?: 'prose' | 'code'
  /** The JSON text is a list, not an object. */
  readonly isList?: true
  /** Also a path of this site. */
  readonly takesPath?: true
  /** A path of this site or an https address: browsers block http images. */
  readonly isImage?: true
  /** What a text, or each entry of a list, must look like, and the message when it does not. */
  readonly pattern?: { readonly expression: RegExp; readonly message: keyof Texts['settings']['errors'] }
  /** Said instead of the usual message about limits. */
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
