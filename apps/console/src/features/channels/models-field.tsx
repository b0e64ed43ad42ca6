import { useQuery } from '@tanstack/react-query'
import { Button, Form, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { splitNames } from './channel-types.ts'
import type { ChannelValues } from './channel-values.ts'
import { suggestedModelsQuery } from './queries.ts'
import styles from './channels.module.css'

export function ModelsField() {
  const { t } = useTranslation('channels')
  const form = Form.useFormInstance<ChannelValues>()
  const type = Form.useWatch('type', form) ?? 1
  const suggestions = useQuery(suggestedModelsQuery).data?.[type] ?? []
  const choose = (names: string[]) => {
    form.setFields([{ name: 'models', value: names, touched: true }])
    if (names.length > 0) void form.validateFields(['models'])
  }
  return (
    <Form.Item label={t('form.models')} htmlFor="models" extra={t('form.modelsHint')}>
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
          tokenSeparators={[',', '，', '\n']}
          options={suggestions.map((model) => ({ value: model, label: model }))}
        />
      </Form.Item>
      <div className={styles.helpers}>
        {suggestions.length > 0 && (
          <Button size="small" onClick={() => choose(suggestions)}>
            {t('form.fillModels')}
          </Button>
        )}
        <Button size="small" onClick={() => choose([])}>
          {t('form.clearModels')}
        </Button>
      </div>
    </Form.Item>
  )
}
