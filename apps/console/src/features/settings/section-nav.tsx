import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useIsNarrow } from '../../lib/use-media.ts'
import { Select } from '../../ui/kit/index.ts'
import type { Section, SectionId } from './sections/index.ts'
import styles from './settings.module.css'
import { useSectionInView } from './use-section-in-view.ts'

interface Props {
  sections: readonly Section[]
  /** The search part of the address, which links keep. */
  search: string
  unsaved: ReadonlySet<SectionId>
  onJump(id: string): void
}

/** The sections of a tab: links beside them, or a list to choose from where there is no room. */
export function SectionNav({ sections, search, unsaved, onJump }: Props) {
  const { t } = useTranslation('settings')
  const isNarrow = useIsNarrow()
  const current = useSectionInView(sections.map(({ id }) => id))
  if (sections.length < 2) return null
  if (isNarrow) {
    return (
      <div className={styles.jump}>
        <Select<SectionId | null>
          aria-label={t('jump')}
          placeholder={t('jump')}
          value={current ?? null}
          options={sections.map(({ id }) => ({ value: id, label: t(`parts.${id}.title`) }))}
          onChange={(id) => id && onJump(id)}
        />
      </div>
    )
  }
  return (
    <nav className={styles.nav} aria-label={t('sections')}>
      {sections.map(({ id }) => (
        <Link key={id} to={{ search, hash: id }} replace {...(current === id && { 'aria-current': 'true' })}>
          {t(`parts.${id}.title`)}
          {unsaved.has(id) && (
            <span className={styles.dot}>
              <span className="visually-hidden">{t('unsavedSection')}</span>
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}
