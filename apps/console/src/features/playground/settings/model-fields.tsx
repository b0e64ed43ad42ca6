import { CloseOutlined, PlusOutlined } from '@ant-design/icons'
import type { PricedModel } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Button, Form } from '../../../ui/kit/index.ts'
import { stopAnswers } from '../chat/ask.ts'
import { newId } from '../conversation/conversation.ts'
import { changeConversation, changeSettings, currentConversation, usePlayground } from '../conversation/store.ts'
import { MAX_COLUMNS } from '../conversation/types.ts'
import { ModelSelect } from './model-select.tsx'
import styles from './settings.module.css'

interface Props {
  models: readonly PricedModel[]
  isLoading: boolean
}

/** The models of the open conversation, each answering in a column of its own. */
export function ModelFields({ models, isLoading }: Props) {
  const { t } = useTranslation('playground')
  const conversation = usePlayground(currentConversation)
  const { id, columns } = conversation
  const choose = (columnId: string, model: string) => {
    changeConversation(id, (before) => ({
      ...before,
      columns: before.columns.map((column) => (column.id === columnId ? { ...column, model } : column)),
    }))
    if (columnId === columns[0]!.id) changeSettings({ model })
  }
  const add = () => {
    const used = columns.map(({ model }) => model)
    const model = models.find(({ model_name }) => !used.includes(model_name))?.model_name ?? used[0]!
    changeConversation(id, (before) => ({ ...before, columns: [...before.columns, { id: newId(), model }] }))
  }
  const remove = (columnId: string) => {
    const answers = conversation.turns.flatMap((turn) =>
      turn.answers[columnId] ? [{ ...turn, answers: { [columnId]: turn.answers[columnId] } }] : [],
    )
    stopAnswers({ ...conversation, turns: answers })
    changeConversation(id, (before) => ({
      ...before,
      columns: before.columns.filter((column) => column.id !== columnId),
    }))
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
              onChange={(model) => choose(column.id, model)}
            />
            {isComparing && (
              <Button
                type="text"
                icon={<CloseOutlined aria-hidden />}
                aria-label={t('settings.removeModel', { model: column.model })}
                onClick={() => remove(column.id)}
              />
            )}
          </div>
        ))}
        {columns.length < MAX_COLUMNS && (
          <Button
            type="dashed"
            size="small"
            icon={<PlusOutlined aria-hidden />}
            onClick={add}
            disabled={models.length === 0}
          >
            {t('settings.compare')}
          </Button>
        )}
      </div>
    </Form.Item>
  )
}
