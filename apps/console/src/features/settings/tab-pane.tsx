import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { LoadError } from '../../components/resource/load-error.tsx'
import { Skeleton } from '../../ui/kit/index.ts'
import { CleanLogs } from './extras/clean-logs.tsx'
import { SiteFacts } from './extras/site-facts.tsx'
import { TestMail } from './extras/test-mail.tsx'
import { SectionForm } from './form/section-form.tsx'
import type { KnownField } from './option-values.ts'
import { PricesPageLink } from './prices-page-link.tsx'
import { optionsQuery, type Options } from './queries.ts'
import { SectionCard } from './section-card.tsx'
import { SectionNav } from './section-nav.tsx'
import type { Section, SectionId } from './sections/index.ts'
import styles from './settings.module.css'
import { useAnchor } from './use-anchor.ts'

interface Props {
  sections: readonly Section[]
  /** Whether what is known about the site stands below. */
  hasSiteFacts: boolean
  /** The editor of virtual models. */
  mapping: ReactNode
  unsaved: ReadonlySet<SectionId>
  onUnsaved(id: SectionId, isUnsaved: boolean): void
}

/** Sections with the way to each of them. */
export function TabPane({ sections, hasSiteFacts, mapping, unsaved, onUnsaved }: Props) {
  const { t: common } = useTranslation()
  const options = useQuery(optionsQuery)
  const { search } = useLocation()
  const navigate = useNavigate()
  useAnchor(options.data !== undefined)
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
        unsaved={unsaved}
        onJump={(id) => void navigate({ search, hash: id }, { replace: true })}
      />
      <div className={styles.cards}>
        {sections.map((section) => (
          <SectionCard key={section.id} id={section.id}>
            {section.id === 'mapping' ? mapping : options.data ? bodyOf(section, options.data) : waiting(section)}
            {section.id === 'logs' && <CleanLogs />}
            {section.id === 'smtp' && <TestMail />}
          </SectionCard>
        ))}
        {hasSiteFacts && <SiteFacts />}
      </div>
    </div>
  )

  function bodyOf(section: Section, read: Options) {
    const fields = knownFields(section, read)
    if (section.id === 'prices') return <PricesPageLink />
    return <SectionForm id={section.id} fields={fields} options={read} onUnsaved={onUnsaved} />
  }
}

function waiting({ fields }: Section) {
  // About as tall as the fields to come, so that the sections after it stay where they are.
  return <Skeleton active title={false} paragraph={{ rows: fields.length * 3 }} />
}

/** Leaves out fields of options that an older server does not know. */
export function knownFields({ fields }: Section, { facts }: Options): KnownField[] {
  return fields.flatMap((field) => {
    const known = facts.get(field.key)
    return known ? [{ ...field, facts: known }] : []
  })
}
