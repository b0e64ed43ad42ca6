import { section } from './section.ts'

const STATUS = { expression: /^[1-5x][\dx]{2}$/i, message: 'statuses' } as const

export const MODEL_SECTIONS = [
  section('ratelimit', 'requests', [
    'ModelRequestRateLimitEnabled',
    { key: 'ModelRequestRateLimitDurationMinutes', unit: 'minutes' },
    { key: 'ModelRequestRateLimitCount', unit: 'requests' },
    { key: 'ModelRequestRateLimitSuccessCount', unit: 'requests' },
  ]),

  section('models', 'global', [
    'global.pass_through_request_enabled',
    'global.hide_upstream_error_enabled',
    'global.block_browser_extension_enabled',
  ]),
  section('models', 'exemptions', [
    'global.rate_limit_exempt_enabled',
    'global.rate_limit_exempt_group',
    'global.safe_check_exempt_enabled',
    'global.safe_check_exempt_group',
  ]),
  section('models', 'retry', [
    'global.auto_retry_enabled',
    { key: 'global.auto_retry_count', unit: 'retries' },
    'global.auto_retry_force_channel_switch',
    { key: 'global.auto_retry_status_codes', pattern: STATUS },
  ]),
  section('models', 'ping', [
    'general_setting.ping_interval_enabled',
    { key: 'general_setting.ping_interval_seconds', unit: 'seconds' },
  ]),
  section('models', 'gemini', [
    'gemini.safety_settings',
    'gemini.version_settings',
    { key: 'gemini.supported_imagine_models', isList: true },
    'gemini.thinking_adapter_enabled',
    'gemini.thinking_adapter_budget_tokens_percentage',
    { key: 'gemini.models_supported_thinking_budget', isList: true },
  ]),
  section('models', 'claude', [
    'claude.model_headers_settings',
    'claude.default_max_tokens',
    'claude.thinking_adapter_enabled',
    'claude.thinking_adapter_budget_tokens_percentage',
  ]),
  // Has its own editor and endpoints, which all administrators can use.
  section('models', 'mapping', []),
]
