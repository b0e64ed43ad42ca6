import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { RatioTag } from '../../components/ratio-tag.tsx'
import { Button, Drawer, Form, Input, InputNumber, Select, Slider } from '../../ui/kit/index.ts'
import { TEMPERATURE } from './conversation/storage.ts'
import { changeSettings, usePlayground } from './conversation/store.ts'
import { ModelFields } from './model-fields.tsx'
import type { Offers } from './offers.ts'
import styles from './settings.module.css'

interface Props {
  open: boolean
  /** On narrow pages the settings open over the conversation. */
  isDrawer: boolean
  offers: Offers
  onClose(): void
}

export function SettingsPanel({ open, isDrawer, offers, onClose }: Props) {
  const { t } = useTranslation('playground')
  const { t: common } = useTranslation()
  const fields = <SettingsFields offers={offers} />
  if (isDrawer) {
    return (
      <Drawer
        title={t('settings.title')}
        open={open}
        onClose={onClose}
        placement="left"
        size={320}
        closable={{ 'aria-label': common('close') }}
        destroyOnHidden
      >
        {fields}
      </Drawer>
    )
  }
  if (!open) return null
  return (
    <aside className={styles.panel} aria-label={t('settings.title')}>
      {fields}
    </aside>
  )
}

/** More than the output limit of any model. */
const MAX_TOKENS = 1_000_000

function SettingsFields({ offers }: { offers: Offers }) {
  const { t } = useTranslation('playground')
  const { max_tokens, temperature, system_prompt } = usePlayground(({ settings }) => settings)
  const { groups, group, models, isLoading } = offers
  // Without a value the slider shows the lowest one. The first step up selects it.
  const selectLowest = (event: KeyboardEvent) => {
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
          optionRender={renderGroup}
          onChange={(value: string) => changeSettings({ group: value })}
        />
      </Form.Item>
      <ModelFields models={models} isLoading={isLoading} />
      <Form.Item label={t('settings.temperature')} extra={t('settings.temperatureHint')}>
        <div className={styles.slider} data-unset={temperature === 0 || undefined} onKeyDownCapture={selectLowest}>
          <Slider
            {...TEMPERATURE}
            value={temperature || TEMPERATURE.min}
            included={temperature !== 0}
            tooltip={{ formatter: (value) => (temperature === 0 ? t('settings.byModel') : value) }}
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
      <Form.Item label={t('settings.maxTokens')} htmlFor="playground-max-tokens">
        <InputNumber
          id="playground-max-tokens"
          className={styles.wide}
          min={0}
          max={MAX_TOKENS}
          precision={0}
          placeholder={t('settings.noLimit')}
          value={max_tokens || null}
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

interface GroupChoice {
  value: string
  desc: string
  ratio: number
}

const renderGroup = ({ data }: { data: GroupChoice }) => <GroupName {...data} />

function GroupName({ value, desc, ratio }: GroupChoice) {
  const { t } = useTranslation('playground')
  return (
    <span className={styles.choice}>
      <span className={styles.choiceName}>{desc && desc !== value ? `${value} · ${desc}` : value}</span>
      <RatioTag ratio={ratio}>{t('settings.ratio', { ratio })}</RatioTag>
    </span>
  )
}
