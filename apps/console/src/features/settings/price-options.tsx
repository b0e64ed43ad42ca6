import { isRoot, optionsOfAreas } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ownAreasQuery } from '../../api/own-areas.ts'
import { useSession } from '../../api/session.ts'
import { SkeletonForm } from '../../ui/feedback/skeleton.tsx'
import { optionsQuery } from './api.ts'
import { SaveBar, useUnsavedSections } from './form/save-bar.tsx'
import { SectionForm } from './form/section-form.tsx'
import { SECTIONS, type SectionId } from './sections/index.ts'
import styles from './settings.module.css'
import { knownFields, SectionCard } from './tab-pane.tsx'

const PANEL_SECTIONS = { json: ['prices', 'groups'], fallback: ['fallback'] } as const satisfies Record<
  string,
  readonly SectionId[]
>

interface Props {
  panel: keyof typeof PANEL_SECTIONS
  onUnsaved(hasChanges: boolean): void
}

/** For the prices page: the options of prices and groups as JSON, or the fallback prices. */
export function PriceOptions({ panel, onUnsaved: onUnsavedChange }: Props) {
  const { data: options } = useQuery(optionsQuery)
  const changes = useUnsavedSections()
  const hasChanges = changes.unsaved.size > 0
  useEffect(() => {
    onUnsavedChange(hasChanges)
    return () => onUnsavedChange(false)
  }, [hasChanges, onUnsavedChange])
  const isSuperAdmin = useSession(({ user }) => isRoot(user?.role ?? 0))
  const { data: areas = [] } = useQuery({ ...ownAreasQuery, enabled: !isSuperAdmin })
  if (!options) return <SkeletonForm fields={4} />
  const granted = optionsOfAreas(areas)
  const sections = PANEL_SECTIONS[panel]
    .flatMap((id) => SECTIONS.find((section) => section.id === id) ?? [])
    .filter(({ fields }) => isSuperAdmin || fields.some(({ key }) => granted.has(key)))
  return (
    <div className={styles.column}>
      <div className={styles.plain}>
        {sections.map((section) => (
          // The drawer has the title of a single section.
          <SectionCard key={section.id} id={section.id} isTitled={sections.length > 1}>
            <SectionForm
              id={section.id}
              fields={knownFields(section, options)}
              options={options}
              onUnsaved={changes.onUnsaved}
              onSave={() => void changes.save()}
            />
          </SectionCard>
        ))}
      </div>
      <SaveBar {...changes} isAlways />
    </div>
  )
}
