import { MODEL_SECTIONS } from './models.ts'
import { OPERATION_SECTIONS } from './operation.ts'
import type { Section, SectionId, Tab } from './section.ts'
import { SYSTEM_SECTIONS } from './system.ts'

/** All sections in the order of the page. */
export const SECTIONS: readonly Section[] = [...OPERATION_SECTIONS, ...MODEL_SECTIONS, ...SYSTEM_SECTIONS]

export const sectionsOf = (tab: Tab): Section[] => SECTIONS.filter((section) => section.tab === tab)

/** Sections whose options are edited on the page of prices and groups, with their paths. The settings only link to them. */
export const PRICE_PATHS: Partial<Record<SectionId, string>> = {
  prices: '/admin/prices',
  groups: '/admin/prices?tab=groups',
  fallback: '/admin/prices?panel=fallback',
}

export { TABS, type Field, type Section, type SectionId, type Tab } from './section.ts'
