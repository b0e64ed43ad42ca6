import { type ChannelDetail } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { FormSection } from '../../../ui/form-section.tsx'
import { JsonField } from '../../../ui/json-field.tsx'
import { AutoComplete, Button, Form, Input, Select } from '../../../ui/kit/index.ts'
import styles from '../channels.module.css'
import { knownModelsQuery, suggestedModelsQuery } from '../queries.ts'
import { splitNames } from '../split-names.ts'
import type { ChannelValues } from './channel-values.ts'
import { ModelPicker, type PickerSource } from './model-picker.tsx'
import { UnpricedModels } from './unpriced-models.tsx'
import { useFetchModels } from './use-fetch-models.ts'
import { useJsonRule } from '../use-json-rule.ts'

const MAPPING_TEMPLATE = JSON.stringify({ 'gpt-4o': 'gpt-4o-2024-11-20' }, null, 2)

/** What the channel serves, and under which names. */
export function ModelsSection({ channel }: { channel?: ChannelDetail }) {
  const { t } = useTranslation('channels')
  const form = Form.useFormInstance<ChannelValues>()
  const type = Form.useWatch('type', form) ?? channel?.type ?? 1
  const models = Form.useWatch('models', form) ?? []
  const mapping = Form.useWatch('model_mapping', form) ?? ''
  const prefix = Form.useWatch('model_prefix', form) ?? ''
  const suggested = useQuery(suggestedModelsQuery).data?.[type] ?? []
  const known = useQuery(knownModelsQuery).data ?? []
  const fetching = useFetchModels(channel)
  const [source, setSource] = useState<PickerSource | null>(null)
  const jsonRule = useJsonRule()

  const choose = (names: readonly string[]) => {
    form.setFields([{ name: 'models', value: [...new Set(names)], touched: true }])
    if (names.length > 0) void form.validateFields(['models'])
  }
  return (
    <FormSection title={t('form.models')}>
      <Form.Item label={t('form.modelNames')} htmlFor="models" extra={t('form.modelsHint')}>
        <Form.Item<ChannelValues>
          name="models"
          noStyle
          normalize={(names: string[]) => splitNames(names.join(','))}
          rules={[{ required: true, type: 'array', message: t('form.modelsRequired') }]}
        >
          <Select
            id="models"
            mode="tags"
            defaultActiveFirstOption={false} // a name that was typed must not become the first suggestion
            className={styles.wide}
            maxTagCount={24}
            tokenSeparators={[',', '，', '\n']}
            options={suggested.map((model) => ({ value: model, label: model }))}
          />
        </Form.Item>
        <div className={styles.helpers}>
          <Button size="small" onClick={() => setSource('related')}>
            {t('form.pickModels')}
          </Button>
          <Button
            size="small"
            loading={fetching.isPending}
            onClick={() => fetching.ask(form.getFieldsValue(), () => setSource('upstream'))}
          >
            {t('form.fetchModels')}
          </Button>
          <Button size="small" disabled={suggested.length === 0} onClick={() => choose([...models, ...suggested])}>
            {t('form.fillModels')}
          </Button>
          <Button size="small" disabled={known.length === 0} onClick={() => choose([...models, ...known])}>
            {t('form.fillAllModels')}
          </Button>
          <Button size="small" disabled={models.length === 0} onClick={() => choose([])}>
            {t('form.clearModels')}
          </Button>
          {models.length > 0 && (
            <CopyButton text={models.join(',')} label={t('form.copyModels')} words={t('form.copyModels')} />
          )}
        </div>
      </Form.Item>
      <UnpricedModels models={models} mapping={mapping} prefix={prefix} />
      <ModelPicker
        source={source}
        onSource={setSource}
        lists={{ related: suggested, all: known, upstream: fetching.models }}
        chosen={models}
        onDone={choose}
      />
      <Form.Item<ChannelValues>
        name="model_mapping"
        label={t('form.modelMapping')}
        extra={t('form.modelMappingHint')}
        rules={[jsonRule]}
      >
        <JsonField label={t('form.modelMapping')} template={MAPPING_TEMPLATE} />
      </Form.Item>
      <div className={styles.pair}>
        <Form.Item<ChannelValues> name="test_model" label={t('form.testModel')} extra={t('form.testModelHint')}>
          <AutoComplete
            className="mono"
            showSearch={{ filterOption: true }}
            options={models.map((model) => ({ value: model }))}
          />
        </Form.Item>
        <Form.Item<ChannelValues> name="model_prefix" label={t('form.modelPrefix')} extra={t('form.modelPrefixHint')}>
          <Input className="mono" autoComplete="off" spellCheck={false} placeholder="vendor/" />
        </Form.Item>
      </div>
    </FormSection>
  )
}
