import { CloseOutlined, EyeOutlined, PlusOutlined } from '@ant-design/icons'
import type { PricedModel } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ModelProviderMark } from '../../components/provider-mark.tsx'
import { formatLimit } from '../../lib/format.ts'
import { Button, Form, Select } from '../../ui/kit/index.ts'
import { MAX_COLUMNS } from './conversation/conversation.ts'
import { addColumn, currentConversation, removeColumn, selectModel, usePlayground } from './conversation/store.ts'
import styles from './settings.module.css'

interface Props {
  models: readonly PricedModel[]
  isLoading: boolean
}

/** The models of the open conversation. Each one has a column. */
export function ModelFields({ models, isLoading }: Props) {
  const { t } = useTranslation('playground')
  const { columns } = usePlayground(currentConversation)
  const add = () => {
    const used = columns.map(({ model }) => model)
    addColumn(models.find(({ model_name }) => !used.includes(model_name))?.model_name ?? used[0]!)
  }
  const isComparing = columns.length > 1
  return (
    <Form.Item
      label={isComparing ? t('settings.models', { count: columns.length }) : t('settings.model')}
      {...(!isComparing && { htmlFor: `playground-model-${columns[0]!.id}` })}
    >
      <div className={styles.models}>
        {columns.map((column, at) => (
          <div key={column.id} className={styles.modelRow}>
            <ModelSelect
              id={`playground-model-${column.id}`}
              label={isComparing ? t('settings.modelNumber', { number: at + 1 }) : t('settings.model')}
              models={models}
              isLoading={isLoading}
              value={column.model}
              onChange={(model) => selectModel(column.id, model)}
            />
            {isComparing && (
              <Button
                type="text"
                icon={<CloseOutlined aria-hidden />}
                aria-label={t('settings.removeModel', { model: column.model })}
                onClick={() => removeColumn(column.id)}
              />
            )}
          </div>
        ))}
        {columns.length < MAX_COLUMNS && (
          <Button type="dashed" icon={<PlusOutlined aria-hidden />} onClick={add} disabled={models.length === 0}>
            {t('settings.compare')}
          </Button>
        )}
      </div>
    </Form.Item>
  )
}

interface SelectProps {
  id: string
  label: string
  models: readonly PricedModel[]
  isLoading: boolean
  value: string
  onChange(model: string): void
}

function ModelSelect({ id, label, models, isLoading, value, onChange }: SelectProps) {
  const { t } = useTranslation('playground')
  const options = useMemo(
    () =>
      models.map(({ model_name: name, owner_by: provider, abilities, context }) => ({
        value: name,
        label: name,
        provider,
        abilities,
        context,
      })),
    [models],
  )
  const selected = options.find((option) => option.value === value)
  return (
    <Select
      id={id}
      aria-label={label}
      className={styles.wide}
      showSearch
      prefix={selected && <ModelProviderMark provider={selected.provider} />}
      value={selected?.value}
      placeholder={t('settings.modelPlaceholder')}
      loading={isLoading}
      options={options}
      notFoundContent={t('settings.noModels')}
      optionRender={renderModel}
      onChange={onChange}
    />
  )
}

type ModelChoice = Pick<PricedModel, 'abilities' | 'context'> & { value: string; provider: string }

const renderModel = ({ data }: { data: ModelChoice }) => <ModelName {...data} />

function ModelName({ value, provider, abilities, context }: ModelChoice) {
  const { t } = useTranslation('playground')
  return (
    <span className={styles.choice}>
      <ModelProviderMark provider={provider} />
      <span className={styles.choiceName} title={value}>
        {value}
      </span>
      <span className={styles.choiceFact}>
        {abilities.includes('vision') && <EyeOutlined aria-label={t('settings.vision')} />}
        {context !== undefined && <span>{formatLimit(context)}</span>}
      </span>
    </span>
  )
}
