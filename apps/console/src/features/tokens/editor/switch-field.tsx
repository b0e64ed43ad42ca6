import { Form, Switch } from '../../../ui/kit/index.ts'
import styles from '../tokens.module.css'
import type { TokenValues } from './token-values.ts'

interface Props {
  name: 'limitsModels' | 'limitsRate'
  label: string
  hint: string
}

export function SwitchField({ name, label, hint }: Props) {
  return (
    <div className={styles.switch}>
      <Form.Item<TokenValues> name={name} valuePropName="checked" noStyle>
        <Switch id={name} aria-label={label} />
      </Form.Item>
      <label htmlFor={name}>{label}</label>
      <span className="secondary">{hint}</span>
    </div>
  )
}
