import { section } from './section.ts'

const LIMIT = 'ModelRequestRateLimitEnabled'
const RETRY = 'global.auto_retry_enabled'
const STATUS = { expression: /^[1-5x][\dx]{2}$/i, message: 'statuses' } as const

export const MODEL_SECTIONS = [
  section('ratelimit', 'requests', [
    LIMIT,
    { key: 'ModelRequestRateLimitDurationMinutes', needs: LIMIT, unit: 'minutes' },
    { key: 'ModelRequestRateLimitCount', needs: LIMIT, unit: 'requests' },
    { key: 'ModelRequestRateLimitSuccessCount', needs: LIMIT, unit: 'requests' },
  ]),

  section('models', 'global', [
    'global.pass_through_request_enabled',
    'global.hide_upstream_error_enabled',
    'global.block_browser_extension_enabled',
  ]),
  section('models', 'exemptions', [
    'global.rate_limit_exempt_enabled',
    { key: 'global.rate_limit_exempt_group', needs: 'global.rate_limit_exempt_enabled', control: 'group' },
    'global.safe_check_exempt_enabled',
    { key: 'global.safe_check_exempt_group', needs: 'global.safe_check_exempt_enabled', control: 'group' },
  ]),
  section('models', 'retry', [
    RETRY,
    { key: 'global.auto_retry_count', needs: RETRY, unit: 'retries' },
    { key: 'global.auto_retry_force_channel_switch', needs: RETRY },
    { key: 'global.auto_retry_status_codes', needs: RETRY, pattern: STATUS },
  ]),
  section('models', 'ping', [
    'general_setting.ping_interval_enabled',
    { key: 'general_setting.ping_interval_seconds', needs: 'general_setting.ping_interval_enabled', unit: 'seconds' },
  ]),
  section('models', 'gemini', [
    'gemini.safety_settings',
    'gemini.version_settings',
    { key: 'gemini.supported_imagine_models', isList: true },
    'gemini.thinking_adapter_enabled',
    { key: 'gemini.thinking_adapter_budget_tokens_percentage', needs: 'gemini.thinking_adapter_enabled' },
    { key: 'gemini.models_supported_thinking_budget', isList: true },
  ]),
  section('models', 'claude', [
    'claude.model_headers_settings',
    'claude.default_max_tokens',
    'claude.thinking_adapter_enabled',
    { key: 'claude.thinking_adapter_budget_tokens_percentage', needs: 'claude.thinking_adapter_enabled' },
  ]),
  // Has its own editor and endpoints, which all administrators can use.
  section('models', 'mapping', []),
]
