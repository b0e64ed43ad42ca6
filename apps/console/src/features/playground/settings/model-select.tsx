import { EyeOutlined } from '@ant-design/icons'
import type { PricedModel } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { compact } from '../../../lib/format.ts'
import { Select } from '../../../ui/kit/index.ts'
import styles from './settings.module.css'

interface Props {
  id: string
  label: string
  models: readonly PricedModel[]
  isLoading: boolean
  value: string
  onChange(model: string): void
}

/** A model by name; what it can do stands beside it. */
export function ModelSelect({ id, label, models, isLoading, value, onChange }: Props) {
  const { t } = useTranslation('playground')
  const options = useMemo(
    () => models.map(({ model_name: name, abilities, context }) => ({ value: name, label: name, abilities, context })),
    [models],
  )
  return (
    <Select
      id={id}
      aria-label={label}
      className={styles.wide}
      showSearch
      value={models.some(({ model_name }) => model_name === value) ? value : undefined}
      placeholder={t('settings.modelPlaceholder')}
      loading={isLoading}
      options={options}
      notFoundContent={t('settings.noModels')}
      optionRender={drawModel}
      onChange={onChange}
    />
  )
}

type ModelChoice = Pick<PricedModel, 'abilities' | 'context'> & { value: string }

const drawModel = ({ data }: { data: ModelChoice }) => <ModelName {...data} />

function ModelName({ value, abilities, context }: ModelChoice) {
  const { t } = useTranslation('playground')
  return (
    <span className={styles.choice}>
      <span className={styles.choiceName} title={value}>
        {value}
      </span>
      <span className={styles.choiceFact}>
        {abilities.includes('vision') && <EyeOutlined aria-label={t('settings.vision')} />}
        {context !== undefined && <span>{compact(context)}</span>}
      </span>
    </span>
  )
}
