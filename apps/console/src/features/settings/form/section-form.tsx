import { isRoot, ROLES } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownAreasQuery } from '../../../api/own-areas.ts'
import { useSession } from '../../../api/session.ts'
import { SimulateButton } from '../../../components/price-simulation/simulate-button.tsx'
import { toast } from '../../../lib/toast.ts'
import { ConflictNotice } from '../../../ui/feedback/conflict-alert.tsx'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { Button, Form } from '../../../ui/kit/index.ts'
import type { Options } from '../api.ts'
import { OptionField } from '../fields/option-field.tsx'
import { textKeyOf, type FormValues, type KnownField } from '../option-values.ts'
import { DiscoverOidc } from '../section-extras.tsx'
import type { SectionId } from '../sections/index.ts'
import styles from '../settings.module.css'
import { useSectionForm } from './use-section-form.ts'

interface Props {
  id: SectionId
  fields: readonly KnownField[]
  options: Pick<Options, 'texts' | 'etags'>
  /** Called when the section gets its first unsaved change or has none left. */
  onUnsaved(id: SectionId, isUnsaved: boolean): void
}

/** The form of one section. Saving sends one request per changed option. */
export function SectionForm({ id, fields, options, onUnsaved }: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const { form, initial, count, saves, saving, conflicts, reload, submit, undo, recount, readUnsaved } = useSectionForm(
    fields,
    options,
  )
  const isUnsaved = count > 0
  // Administrators need the prices area to simulate prices.
  const isAdministrator = useSession(({ user }) => !isRoot(user?.role ?? ROLES.root))
  const areas = useQuery({ ...ownAreasQuery, enabled: isAdministrator }).data ?? []
  const maySimulate = !isAdministrator || areas.includes('prices')
  useEffect(() => {
    onUnsaved(id, isUnsaved)
    return () => onUnsaved(id, false)
  }, [id, isUnsaved, onUnsaved])
  return (
    <Form<FormValues>
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={initial}
      onValuesChange={recount}
      onFinish={() => void submit()}
      onFinishFailed={() => toast.error(t('check'))}
      scrollToFirstError={{ focus: true, block: 'center' }}
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
      <div className={styles.foot} data-unsaved={isUnsaved || undefined}>
        <Button
          type="primary"
          htmlType="submit"
          loading={saving}
          disabled={!isUnsaved}
          aria-label={t('saveOf', { section: t(`parts.${id}.title`) })}
        >
          {common('save')}
        </Button>
        {SIMULATED.has(id) && maySimulate && <SimulateButton read={readUnsaved} />}
        {isUnsaved && (
          <>
            <Button onClick={undo} disabled={saving}>
              {t('undo')}
            </Button>
            <output>
              <StatusTag tone="warn">{t('unsavedCount', { count })}</StatusTag>
            </output>
          </>
        )}
      </div>
    </Form>
  )
}

/** Sections that change the cost of requests. */
const SIMULATED: ReadonlySet<SectionId> = new Set<SectionId>(['groups', 'prices', 'fallback'])

/** The sections with unsaved changes. */
export function useUnsavedSections() {
  const [unsaved, setUnsaved] = useState<ReadonlySet<SectionId>>(new Set())
  const onUnsaved = useCallback(
    (id: SectionId, isUnsaved: boolean) =>
      setUnsaved((before) => {
        if (before.has(id) === isUnsaved) return before
        const others = [...before].filter((other) => other !== id)
        return new Set(isUnsaved ? [...others, id] : others)
      }),
    [],
  )
  return { unsaved, onUnsaved }
}
