import { useQuery } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { useMaySetPrices } from '../../api/use-may-set-prices.ts'
import { LoadError } from '../../components/resource/load-error.tsx'
import { SkeletonForm } from '../../ui/feedback/skeleton.tsx'
import { Button } from '../../ui/kit/index.ts'
import { HelpIcon } from '../../ui/page/help-link.tsx'
import { optionsQuery, type Options } from './api.ts'
import { SaveBar, type useUnsavedSections } from './form/save-bar.tsx'
import { SectionForm } from './form/section-form.tsx'
import { HistoryButton } from './history/history-button.tsx'
import { anchorOf, type KnownField } from './option-values.ts'
import { CleanLogs, SiteInfo, TestMail } from './section-extras.tsx'
import { SectionNav } from './section-nav.tsx'
import { SECTION_HELP } from './sections/help.ts'
import { PRICE_PATHS, type Section, type SectionId } from './sections/index.ts'
import styles from './settings.module.css'

interface Props {
  sections: readonly Section[]
  hasSiteInfo: boolean
  /** The editor of virtual models. */
  mapping: ReactNode
  changes: ReturnType<typeof useUnsavedSections>
}

/** The sections of a tab, with links to them. */
export function TabPane({ sections, hasSiteInfo, mapping, changes }: Props) {
  const { t: common } = useTranslation()
  const options = useQuery(optionsQuery)
  const { search } = useLocation()
  const navigate = useNavigate()
  const maySetPrices = useMaySetPrices()
  useScrollToTarget(options.data !== undefined)
  if (options.error && !options.data) {
    return (
      <LoadError
        title={common('errors.loadFailed')}
        error={options.error}
        retrying={options.isFetching}
        onRetry={options.refetch}
      />
    )
  }
  return (
    <div className={styles.pane}>
      <SectionNav
        sections={sections}
        search={search}
        unsaved={changes.unsaved}
        onJump={(id) => void navigate({ search, hash: id }, { replace: true })}
      />
      <div className={styles.column}>
        <div className={styles.cards}>
          {sections.map((section) => (
            <SectionCard key={section.id} id={section.id}>
              {section.id === 'mapping'
                ? mapping
                : options.data
                  ? contentOf(section, options.data)
                  : placeholderOf(section)}
              {section.id === 'logs' && <CleanLogs />}
              {section.id === 'smtp' && <TestMail />}
            </SectionCard>
          ))}
          {hasSiteInfo && <SiteInfo />}
        </div>
        <SaveBar {...changes} />
      </div>
    </div>
  )

  function contentOf(section: Section, loaded: Options) {
    const path = maySetPrices && PRICE_PATHS[section.id]
    if (path) return <PricesPageLink section={section.id} path={path} />
    return (
      <SectionForm
        id={section.id}
        fields={knownFields(section, loaded)}
        options={loaded}
        onUnsaved={changes.onUnsaved}
        onSave={() => void changes.save()}
      />
    )
  }
}

function placeholderOf({ fields }: Section) {
  // About as tall as the fields, so that the sections below do not move.
  return <SkeletonForm fields={fields.length} wide />
}

/** The fields with their metadata. Options that an older server does not know are left out. */
export function knownFields({ fields }: Section, { facts }: Options): KnownField[] {
  return fields.flatMap((field) => {
    const known = facts.get(field.key)
    return known ? [{ ...field, facts: known }] : []
  })
}

interface CardProps {
  id: SectionId
  /** Otherwise the title is only for screen readers. */
  isTitled?: boolean
  children: ReactNode
}

/** A section with its heading. */
export function SectionCard({ id, isTitled = true, children }: CardProps) {
  const { t } = useTranslation('settings')
  const anchor = anchorOf(id)
  const title = t(`parts.${id}.title`)
  return (
    <section id={anchor} className={styles.card} aria-labelledby={`${anchor}-title`} tabIndex={-1}>
      {id === 'mapping' && (
        <div className={styles.corner}>
          <HistoryButton optionKey="global_model_mapping" label={t('parts.mapping.title')} isShown />
        </div>
      )}
      <div className={isTitled ? styles.titleLine : 'visually-hidden'}>
        <h2 id={`${anchor}-title`} className={styles.title}>
          {title}
        </h2>
        <HelpIcon section={{ title, page: SECTION_HELP[id] }} />
      </div>
      <p className={styles.help}>{t(`parts.${id}.hint`)}</p>
      {children}
    </section>
  )
}

/** Links to the place on the prices page that replaces the form of this section. */
function PricesPageLink({ section, path }: { section: SectionId; path: string }) {
  const { t } = useTranslation('settings')
  const navigate = useNavigate()
  const place = section === 'prices' ? t('prices.tabs.models') : t(`parts.${section}.title`)
  return (
    <div className={styles.pageLink}>
      <Button onClick={() => void navigate(path)}>
        {t('prices.title')} › {place}
      </Button>
    </div>
  )
}

const HIGHLIGHT_MS = 1600

/** Scrolls to the section or option in the hash of the URL. */
function useScrollToTarget(isLoaded: boolean): void {
  const location = useLocation()
  // Depends on the location, not its hash, so that a second click on the same link scrolls again.
  useEffect(() => {
    const target = readTarget(location.hash)
    if (isLoaded && target !== '') showTarget(target)
  }, [isLoaded, location])
}

function showTarget(target: string): void {
  const element = document.getElementById(anchorOf(target))
  if (!element) return
  const isOption = element.hasAttribute('data-option')
  element.scrollIntoView({ block: isOption ? 'center' : 'start' })
  const control = isOption ? document.getElementById(target) : element
  control?.focus({ preventScroll: true })
  if (!isOption) return
  element.setAttribute('data-highlighted', '')
  setTimeout(() => element.removeAttribute('data-highlighted'), HIGHLIGHT_MS)
}

function readTarget(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return ''
  }
}
