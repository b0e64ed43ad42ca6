import { isRoot, ROLES } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useEffect, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { ownAreasQuery } from '../../../api/own-areas.ts'
import { useSession } from '../../../api/session.ts'
import { SimulateButton } from '../../../components/price-simulation/simulate-button.tsx'
import { ConflictNotice } from '../../../ui/feedback/conflict-alert.tsx'
import { Form } from '../../../ui/kit/index.ts'
import type { Options } from '../api.ts'
import { OptionField } from '../fields/option-field.tsx'
import { textKeyOf, type FormValues, type KnownField } from '../option-values.ts'
import { DiscoverOidc } from '../section-extras.tsx'
import type { SectionId } from '../sections/index.ts'
import styles from '../settings.module.css'
import type { OnUnsaved } from './save-bar.tsx'
import { useSectionForm } from './use-section-form.ts'

interface Props {
  id: SectionId
  fields: readonly KnownField[]
  options: Pick<Options, 'texts' | 'etags'>
  onUnsaved: OnUnsaved
  /** Saves all sections: Enter in a field does the same as the bar. */
  onSave(): void
}

/** The form of one section. The bar of the page saves it, with one request per changed option. */
export function SectionForm({ id, fields, options, onUnsaved, onSave }: Props) {
  const { t } = useTranslation('settings')
  const { form, initial, count, saves, conflicts, reload, actions, recount, readUnsaved } = useSectionForm(
    fields,
    options,
  )
  // Administrators need the prices area to simulate prices.
  const isAdministrator = useSession(({ user }) => !isRoot(user?.role ?? ROLES.root))
  const areas = useQuery({ ...ownAreasQuery, enabled: isAdministrator }).data ?? []
  const maySimulate = !isAdministrator || areas.includes('prices')
  useEffect(() => {
    onUnsaved(id, count, actions)
  }, [id, count, onUnsaved, actions])
  useEffect(() => () => onUnsaved(id, 0, actions), [id, onUnsaved, actions])
  return (
    <Form<FormValues>
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={initial}
      onValuesChange={recount}
      data-unsaved={count > 0 || undefined}
      onKeyDown={saveOnEnter(onSave)}
    >
      <div className={styles.options}>
        {fields.map((field) => (
          <OptionField key={field.facts.secret ? `${field.key} ${saves}` : field.key} field={field} />
        ))}
      </div>
      {id === 'oidc' && <DiscoverOidc onFilled={recount} />}
      {conflicts.length > 0 && (
        <ConflictNotice
          text={t('conflict.options', {
            names: conflicts.map((key) => t(`options.${textKeyOf(key)}.label`)).join(', '),
          })}
          onReload={reload}
        />
      )}
      {SIMULATED.has(id) && maySimulate && (
        <div className={styles.foot}>
          <SimulateButton read={readUnsaved} />
        </div>
      )}
    </Form>
  )
}

/** Sections that change the cost of requests. */
const SIMULATED: ReadonlySet<SectionId> = new Set<SectionId>(['groups', 'prices', 'fallback'])

/** Forms without a button do not react to Enter. */
const saveOnEnter = (save: () => void) => (event: KeyboardEvent) => {
  const { target } = event
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(target instanceof HTMLInputElement)) return
  if (target.getAttribute('role') !== 'combobox' && (target.type === 'text' || target.type === 'password')) save()
}
