import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AutoComplete, Button, Form, Input, InputNumber, Modal } from '../../ui/kit/index.ts'
import { isPriority, nameTrouble, targetTrouble, type Mapping, type VirtualModel } from './mapping-rules.ts'
import { enabledModelsQuery } from './queries.ts'
import styles from './virtual-models.module.css'

interface Props {
  edited: VirtualModel | 'new' | null
  mapping: Mapping
  saving: boolean
  /** Above the fields. */
  notice?: ReactNode
  onSave(model: VirtualModel): void
  onClose(): void
}

interface Values {
  name: string
  targets: ({ model?: string; priorities?: number | null } | undefined)[]
}

/** Has no initial model, because a field with an initial value counts as edited and would show an error. */
const NEW: Values = { name: '', targets: [{ priorities: 0 }] }

/** Edits the name and the targets of a virtual model. */
export function VirtualModelDialog({ edited, mapping, saving, notice, onSave, onClose }: Props) {
  const { t } = useTranslation('mapping')
  const { t: common } = useTranslation()
  const [form] = Form.useForm<Values>()
  const isOpen = edited !== null
  const original = edited === null || edited === 'new' ? null : edited
  const save = ({ name, targets }: Values) =>
    onSave({
      name,
      targets: targets.map((target) => ({ model: target?.model ?? '', priorities: target?.priorities ?? 0 })),
    })
  return (
    <Modal
      title={original ? t('editTitle', { name: original.name }) : t('add')}
      open={isOpen}
      onCancel={onClose}
      onOk={form.submit}
      okText={common('save')}
      cancelText={common('cancel')}
      confirmLoading={saving}
      destroyOnHidden
      width={560}
    >
      {notice}
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        clearOnDestroy
        initialValues={original ?? NEW}
        onFinish={save}
        scrollToFirstError={{ focus: true, block: 'center' }}
      >
        <Form.Item<Values>
          name="name"
          label={t('name')}
          extra={t('nameHint')}
          rules={[{ validator: (_, name: string = '') => validationResult(nameError(name)) }]}
        >
          <Input className="mono" autoComplete="off" spellCheck={false} />
        </Form.Item>
        <TargetFields original={original} mapping={mapping} />
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </Form>
    </Modal>
  )

  function nameError(name: string): string | null {
    const problem = nameTrouble(name, mapping, original?.name ?? null)
    if (problem === null) return null
    return problem === 'taken' ? t('troubles.taken', { name: name.trim() }) : t('troubles.nameRequired')
  }
}

function TargetFields({ original, mapping }: { original: VirtualModel | null; mapping: Mapping }) {
  const { t } = useTranslation('mapping')
  const form = Form.useFormInstance<Values>()
  const models = useQuery(enabledModelsQuery).data ?? []
  const virtualNames = Object.keys(mapping).filter((name) => name !== original?.name)
  const modelError = (index: number): string | null => {
    const targets = (form.getFieldValue('targets') as Values['targets']).map((target) => target?.model ?? '')
    const own = String(form.getFieldValue('name') ?? '').trim()
    const problem = targetTrouble(targets, index, own === '' ? virtualNames : [...virtualNames, own])
    return problem && t(`troubles.${problem}`)
  }
  return (
    <Form.List
      name="targets"
      rules={[
        {
          validator: (_, targets: Values['targets'] = []) =>
            validationResult(targets.length === 0 ? t('troubles.targetsRequired') : null),
        },
      ]}
    >
      {(fields, { add, remove }, { errors }) => (
        <fieldset className={styles.fields}>
          <legend>{t('targets')}</legend>
          {fields.map(({ key, name: index }) => (
            <div key={key} className={styles.field}>
              <Form.Item name={[index, 'model']} rules={[{ validator: () => validationResult(modelError(index)) }]}>
                <AutoComplete
                  className="mono"
                  aria-label={t('targetOf', { number: index + 1 })}
                  placeholder={t('target')}
                  showSearch={{ filterOption: true }}
                  options={models.map((model) => ({ value: model }))}
                />
              </Form.Item>
              <Form.Item
                name={[index, 'priorities']}
                rules={[
                  {
                    validator: (_, value: unknown) =>
                      validationResult(isPriority(value) ? null : t('troubles.priority')),
                  },
                ]}
              >
                <InputNumber
                  className={styles.priority}
                  aria-label={t('priorityOf', { number: index + 1 })}
                  prefix={t('priority')}
                />
              </Form.Item>
              <Button
                type="text"
                danger
                icon={<DeleteOutlined aria-hidden />}
                aria-label={t('removeTarget', { number: index + 1 })}
                onClick={() => remove(index)}
              />
            </div>
          ))}
          <Form.ErrorList errors={errors} />
          <Button block type="dashed" icon={<PlusOutlined aria-hidden />} onClick={() => add({ priorities: 0 })}>
            {t('addTarget')}
          </Button>
          <p className={styles.hint}>{t('targetsHint')}</p>
        </fieldset>
      )}
    </Form.List>
  )
}

function validationResult(problem: string | null): Promise<void> {
  return problem === null ? Promise.resolve() : Promise.reject(new Error(problem))
}
