import { QuestionCircleOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Form, Modal, Radio } from '../../../ui/kit/index.ts'
import type { SetupValues, UsageMode } from './setup-values.ts'
import styles from './setup.module.css'

const MODES: readonly UsageMode[] = ['external', 'self', 'demo']

export function ModeField() {
  const { t } = useTranslation('setup')
  const [helpOpen, setHelpOpen] = useState(false)
  const closeHelp = () => setHelpOpen(false)
  return (
    <>
      <h2 className={styles.heading} id="mode-heading">
        {t('modeSection')}
        <Button
          type="text"
          size="small"
          icon={<QuestionCircleOutlined aria-hidden />}
          aria-label={t('modeHelp')}
          onClick={() => setHelpOpen(true)}
        />
      </h2>
      <Form.Item<SetupValues> name="mode">
        <Radio.Group className={styles.modes} aria-labelledby="mode-heading">
          {MODES.map((mode) => (
            <Radio key={mode} value={mode} className={styles.mode}>
              <span className={styles.modeName}>{t(`modes.${mode}.name`)}</span>
              <span className={styles.modeText}>{t(`modes.${mode}.text`)}</span>
            </Radio>
          ))}
        </Radio.Group>
      </Form.Item>
      <Modal
        title={t('help.title')}
        open={helpOpen}
        onCancel={closeHelp}
        footer={
          <Button type="primary" onClick={closeHelp}>
            {t('help.close')}
          </Button>
        }
      >
        <dl className={styles.help}>
          {MODES.map((mode) => (
            <div key={mode}>
              <dt>{t(`modes.${mode}.name`)}</dt>
              <dd>{t(`help.${mode}`)}</dd>
            </div>
          ))}
        </dl>
        <p className="secondary">{t('help.later')}</p>
      </Modal>
    </>
  )
}
