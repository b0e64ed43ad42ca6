import { flag } from './define.ts'
import { image, line, prose } from './define-text.ts'

const content = { tab: 'other', section: 'content', guard: 'reauth' } as const
const brand = { tab: 'other', section: 'brand' } as const
const custom = { tab: 'other', section: 'custom-code', guard: 'reauth' } as const

/** What visitors read, and how the site presents itself. */
export const contentOptions = {
  Notice: prose(content),
  About: prose(content),
  HomePageContent: prose(content),
  Footer: prose(content),
  /** Shows HTML among these with its scripts, in a frame that reaches nothing of the console. */
  'content.trusted_html_enabled': flag(content, false),

  SystemName: line(brand, 'Tidegate', { max: 100, blankMeansDefault: true }),
  Logo: image(brand),

  custom_head_html: prose(custom),
  global_css: prose(custom),
  global_js: prose(custom),
}
