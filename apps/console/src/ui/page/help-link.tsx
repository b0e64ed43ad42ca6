import { QuestionCircleOutlined } from '@ant-design/icons'
import { createContext, useContext, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Tooltip } from '../kit/index.ts'
import styles from './help-link.module.css'

/** The page of the documentation about the current screen, such as `guides/payments#refunds`. */
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

/** A small link beside the title of a screen. */
export function HelpIcon() {
  const page = useContext(HelpPageContext)
  const { t } = useTranslation()
  if (page === undefined) return null
  return (
    <Tooltip title={t('help.page')}>
      <DocsLink page={page} className={styles.icon} label={t('help.page')}>
        <QuestionCircleOutlined aria-hidden />
      </DocsLink>
    </Tooltip>
  )
}

/** A link of an empty list to the guide of the screen. */
export function GuideLink() {
  const page = useContext(HelpPageContext)
  const { t } = useTranslation()
  if (page === undefined) return null
  return (
    <DocsLink page={page} className={styles.guide}>
      {t('help.guide')}
    </DocsLink>
  )
}
