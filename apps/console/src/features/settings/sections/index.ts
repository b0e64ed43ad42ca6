import { MODEL_SECTIONS } from './models.ts'
import { OPERATION_SECTIONS } from './operation.ts'
import type { Section, Tab } from './section.ts'
import { SYSTEM_SECTIONS } from './system.ts'

/** All sections in the order of the page. */
export const SECTIONS: readonly Section[] = [...OPERATION_SECTIONS, ...MODEL_SECTIONS, ...SYSTEM_SECTIONS]

export const sectionsOf = (tab: Tab): Section[] => SECTIONS.filter((section) => section.tab === tab)

export { TABS, type Field, type Section, type SectionId, type Tab } from './section.ts'
