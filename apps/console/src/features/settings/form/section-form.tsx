import { Button, Form } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { DiscoverOidc } from '../extras/discover-oidc.tsx'
import { OptionField } from '../fields/option-field.tsx'
import type { FormValues, KnownField, OptionTexts } from '../option-values.ts'
import { SimulateButton } from '../prices/simulation/simulate-button.tsx'
import type { SectionId } from '../sections/index.ts'
import styles from '../settings.module.css'
import { useSectionForm } from './use-section-form.ts'

interface Props {
  id: SectionId
  fields: readonly KnownField[]
  texts: OptionTexts
  /** Told whenever the section comes to have unsaved changes, or has none any more. */
  onUnsaved(id: SectionId, isUnsaved: boolean): void
}

/** The options of one section, saved together: one call for each that was changed. */
export function SectionForm({ id, fields, texts, onUnsaved }: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const { form, initial, count, saves, saving, submit, undo, recount, readUnsaved } = useSectionForm(fields, texts)
  const isUnsaved = count > 0
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
      <div className={styles.foot}>
        <Button
          type="primary"
          htmlType="submit"
          loading={saving}
          aria-label={t('saveOf', { section: t(`parts.${id}.title`) })}
        >
          {common('save')}
        </Button>
        {SIMULATED.has(id) && <SimulateButton read={readUnsaved} />}
        {isUnsaved && (
          <>
            <Button onClick={undo} disabled={saving}>
              {t('undo')}
            </Button>
            <output className="secondary">{t('unsavedCount', { count })}</output>
          </>
        )}
      </div>
    </Form>
  )
}

/** Sections that say what calls cost. */
const SIMULATED: ReadonlySet<SectionId> = new Set<SectionId>(['groups', 'prices', 'fallback'])
