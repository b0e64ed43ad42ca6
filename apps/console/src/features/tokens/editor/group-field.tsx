import { useQuery } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Form, Select } from '../../../ui/kit/index.ts'
import { GroupRatio } from '../group-ratio.tsx'
import { ownGroupsQuery } from '../queries.ts'
import styles from '../tokens.module.css'
import type { TokenValues } from './token-values.ts'

interface Props {
  /** It may stay although it is no longer offered, so it has to be among the choices. */
  stored?: string
  isNew?: boolean
}

export function GroupField({ stored = '', isNew = false }: Props) {
  const { t } = useTranslation('tokens')
  const form = Form.useFormInstance<TokenValues>()
  const groups = useQuery(ownGroupsQuery)
  const offered = groups.data ?? {}
  const names = [...new Set([...Object.keys(offered), ...(stored ? [stored] : [])])]
  const options = names.map((name) => {
    const { desc = name, ratio } = offered[name] ?? {}
    const words = desc === '' ? t('autoGroup') : desc
    return { value: name, label: words === name ? name : `${name} · ${words}`, ratio }
  })
  const initial = isNew ? names.find((name) => offered[name]?.is_default) : undefined
  useEffect(() => {
    if (initial !== undefined && !form.isFieldTouched('group')) form.setFieldValue('group', initial)
  }, [form, initial])
  return (
    <Form.Item<TokenValues> name="group" label={t('form.group')} extra={t('form.groupHint')}>
      <Select
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        placeholder={t('ownGroup')}
        options={options}
        optionRender={renderOption}
        loading={groups.isPending}
      />
    </Form.Item>
  )
}

function renderOption({ label, data }: { label?: ReactNode; data: { ratio: number | undefined } }) {
  return (
    <span className={styles.option}>
      <span className={styles.optionName}>{label}</span>
      {data.ratio !== undefined && <GroupRatio ratio={data.ratio} />}
    </span>
  )
}
