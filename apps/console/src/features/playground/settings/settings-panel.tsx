import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Form, Input, InputNumber, Select, Slider } from '../../../ui/kit/index.ts'
import { changeSettings, usePlayground } from '../conversation/store.ts'
import { RatioTag } from '../../../components/ratio-tag.tsx'
import type { Offers } from '../use-offers.ts'
import { ModelFields } from './model-fields.tsx'
import { TEMPERATURE } from './playground-settings.ts'
import styles from './settings.module.css'

interface GroupChoice {
  value: string
  desc: string
  ratio: number
}

const drawGroup = ({ data }: { data: GroupChoice }) => <GroupName {...data} />

function GroupName({ value, desc, ratio }: GroupChoice) {
  const { t } = useTranslation('playground')
  return (
    <span className={styles.choice}>
      <span className={styles.choiceName}>{desc && desc !== value ? `${value} · ${desc}` : value}</span>
      <RatioTag ratio={ratio}>{t('settings.ratio', { ratio })}</RatioTag>
    </span>
  )
}

/** More than any model writes. */
const MAX_TOKENS = 1_000_000

export function SettingsPanel({ offers }: { offers: Offers }) {
  const { t } = useTranslation('playground')
  const { max_tokens, temperature, system_prompt } = usePlayground(({ settings }) => settings)
  const { groups, group, models, isLoading } = offers
  // The handle rests at the lowest value while nothing is chosen: the first step up chooses that value.
  const chooseLowest = (event: KeyboardEvent) => {
    if (temperature !== 0 || !['ArrowRight', 'ArrowUp'].includes(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    changeSettings({ temperature: TEMPERATURE.min })
  }
  return (
    <Form layout="vertical" component="div" className={styles.fields}>
      <Form.Item label={t('settings.group')} htmlFor="playground-group">
        <Select
          id="playground-group"
          value={group || undefined}
          loading={isLoading}
          options={Object.entries(groups).map(([value, { desc, ratio }]) => ({ value, label: value, desc, ratio }))}
          optionRender={drawGroup}
          onChange={(value: string) => changeSettings({ group: value })}
        />
      </Form.Item>
      <ModelFields models={models} isLoading={isLoading} />
      <Form.Item label={t('settings.temperature')} extra={t('settings.temperatureHint')}>
        <div className={styles.slider} onKeyDownCapture={chooseLowest}>
          <Slider
            {...TEMPERATURE}
            value={temperature || TEMPERATURE.min}
            tooltip={{ formatter: (value) => value }}
            ariaLabelForHandle={t('settings.temperature')}
            onChange={(value) => changeSettings({ temperature: value })}
          />
          <span className={styles.value}>
            {temperature === 0 ? (
              <span className="secondary">{t('settings.byModel')}</span>
            ) : (
              <>
                <span className="number">{temperature}</span>
                <Button
                  type="link"
                  size="small"
                  aria-label={t('settings.temperatureReset')}
                  onClick={() => changeSettings({ temperature: 0 })}
                >
                  {t('settings.byModel')}
                </Button>
              </>
            )}
          </span>
        </div>
      </Form.Item>
      <Form.Item label={t('settings.maxTokens')} htmlFor="playground-max-tokens" extra={t('settings.maxTokensHint')}>
        <InputNumber
          id="playground-max-tokens"
          className={styles.wide}
          min={0}
          max={MAX_TOKENS}
          precision={0}
          value={max_tokens}
          onChange={(value) => changeSettings({ max_tokens: value ?? 0 })}
        />
      </Form.Item>
      <Form.Item label={t('settings.system')} htmlFor="playground-system">
        <Input.TextArea
          id="playground-system"
          autoSize={{ minRows: 3, maxRows: 12 }}
          value={system_prompt ?? t('settings.systemDefault')}
          onChange={(event) => changeSettings({ system_prompt: event.target.value })}
        />
      </Form.Item>
    </Form>
  )
}
