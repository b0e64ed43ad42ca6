import { QuestionCircleOutlined } from '@ant-design/icons'
import { createContext, useContext, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Tooltip } from '../kit/index.ts'
import styles from './help-link.module.css'

/** The page of the documentation about the current screen, such as `guides/payments#redemption-codes`. */
export const HelpPageContext = createContext<string | undefined>(undefined)

/** Other attributes come from a tooltip around the link. */
interface LinkProps extends ComponentProps<'a'> {
  page: string
  label?: string
}

/** Opens a page of the documentation in the language of the console, in a new tab. */
export function DocsLink({ page, label, children, ...attributes }: LinkProps) {
  const { i18n } = useTranslation()
  const folder = i18n.language.startsWith('zh') ? '/docs/zh/' : '/docs/'
  return (
    <a {...attributes} href={folder + page} target="_blank" rel="noreferrer" aria-label={label}>
      {children}
    </a>
  )
}

/** A small link beside the title of a screen, or of a section with its own page. */
export function HelpIcon({ section }: { section?: { title: string; page: string } }) {
  const pageOfScreen = useContext(HelpPageContext)
  const { t } = useTranslation()
  const page = section?.page ?? pageOfScreen
  if (page === undefined) return null
  const label = section ? t('help.section', { section: section.title }) : t('help.page')
  return (
    <Tooltip title={label}>
      <DocsLink page={page} className={styles.icon} label={label}>
        <QuestionCircleOutlined aria-hidden />
      </DocsLink>
    </Tooltip>
  )
}

/** A link of an empty list to `section`, or to the guide of the screen. */
export function GuideLink({ section }: { section?: string | undefined }) {
  const pageOfScreen = useContext(HelpPageContext)
  const { t } = useTranslation()
  const page = section ?? pageOfScreen
  if (page === undefined) return null
  return (
    <DocsLink page={page} className={styles.guide}>
      {t('help.guide')}
    </DocsLink>
  )
}
