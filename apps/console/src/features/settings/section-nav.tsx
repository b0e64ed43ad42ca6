import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useIsNarrow } from '../../lib/use-media.ts'
import { Select } from '../../ui/kit/index.ts'
import { anchorOf } from './option-values.ts'
import type { Section, SectionId } from './sections/index.ts'
import styles from './settings.module.css'

interface Props {
  sections: readonly Section[]
  /** The query of the URL, which the links keep. */
  search: string
  unsaved: Pick<ReadonlySet<SectionId>, 'has'>
  onJump(id: string): void
}

/** Links to the sections of a tab. On narrow pages they are a select. */
export function SectionNav({ sections, search, unsaved, onJump }: Props) {
  const { t } = useTranslation('settings')
  const isNarrow = useIsNarrow()
  const current = useSectionInView(sections.map(({ id }) => id))
  if (isNarrow) {
    if (sections.length < 2) return null
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

/** A section is current once it starts above this line, below the top bar. */
const CURRENT_LINE_PX = 120

/** The last section that starts above the line, or the last section at the end of the page. */
function useSectionInView(ids: readonly SectionId[]): SectionId | undefined {
  const [current, setCurrent] = useState(ids[0])
  const joined = ids.join()
  useEffect(() => {
    const update = () => {
      const known = joined.split(',') as SectionId[]
      const isAtEnd = window.scrollY > 0 && window.innerHeight + window.scrollY >= document.body.scrollHeight - 2
      const passed = known.filter((id) => topOf(id) <= CURRENT_LINE_PX)
      setCurrent(isAtEnd ? known.at(-1) : (passed.at(-1) ?? known[0]))
    }
    update()
    window.addEventListener('scroll', update, { passive: true })
    return () => window.removeEventListener('scroll', update)
  }, [joined])
  return current
}

function topOf(id: SectionId): number {
  return document.getElementById(anchorOf(id))?.getBoundingClientRect().top ?? Infinity
}
