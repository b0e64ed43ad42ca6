/** Names of the rate limits and model settings, and a line on what each is for. */
export default {
  ModelRequestRateLimitEnabled: {
    label: 'Giới hạn lượt gọi mỗi người dùng',
    help: 'Số lượt gọi mô hình mỗi người dùng được thực hiện trong một khoảng thời gian',
  },
  ModelRequestRateLimitDurationMinutes: {
    label: 'Chu kỳ',
    help: 'Khoảng thời gian đếm lượt gọi; 0 là không giới hạn',
  },
  ModelRequestRateLimitCount: { label: 'Lượt gọi mỗi chu kỳ', help: 'Tính cả lượt thất bại; 0 là không giới hạn' },
  ModelRequestRateLimitSuccessCount: {
    label: 'Lượt thành công mỗi chu kỳ',
    help: 'Chỉ tính lượt thành công; từ 1 trở lên',
  },

  global_pass_through_request_enabled: {
    label: 'Chuyển nguyên lượt gọi',
    help: 'Nội dung theo định dạng OpenAI được gửi nguyên vẹn đến nhà cung cấp',
  },
  global_hide_upstream_error_enabled: {
    label: 'Ẩn lỗi của nhà cung cấp',
    help: 'Người dùng thấy lỗi chung thay vì nguyên văn của nhà cung cấp',
  },
  global_block_browser_extension_enabled: {
    label: 'Chặn tiện ích trình duyệt',
    help: 'Từ chối lượt gọi từ tiện ích trình duyệt',
  },

  global_rate_limit_exempt_enabled: {
    label: 'Miễn giới hạn tốc độ',
    help: 'Nhóm bên dưới không bị giới hạn tốc độ, cả của người dùng lẫn của token',
  },
  global_rate_limit_exempt_group: { label: 'Nhóm không giới hạn tốc độ', help: 'Tên nhóm' },
  global_safe_check_exempt_enabled: {
    label: 'Miễn kiểm tra từ bị chặn',
    help: 'Lượt gọi của nhóm bên dưới không bị kiểm tra từ bị chặn',
  },
  global_safe_check_exempt_group: { label: 'Nhóm không kiểm tra từ', help: 'Tên nhóm' },

  global_auto_retry_enabled: {
    label: 'Tự động thử lại',
    help: 'Lượt gọi thất bại được thử lại mà người dùng không nhận ra',
  },
  global_auto_retry_count: { label: 'Số lần thử lại', help: '1 đến 10' },
  global_auto_retry_force_channel_switch: {
    label: 'Ưu tiên đổi kênh khi thử lại',
    help: 'Mỗi lần thử lại chuyển sang mức ưu tiên kế tiếp; nếu chỉ có một kênh thì thử lại chính kênh đó',
  },
  global_auto_retry_status_codes: {
    label: 'Mã trạng thái cần thử lại',
    help: 'x thay cho chữ số bất kỳ, như 5xx hoặc 429; để trống là tất cả',
  },

  general_setting_ping_interval_enabled: {
    label: 'Giữ kết nối stream',
    help: 'Gửi dòng trống khi nhà cung cấp chưa phản hồi, để proxy không đóng kết nối',
  },
  general_setting_ping_interval_seconds: { label: 'Khoảng cách', help: 'Từ 1 giây trở lên' },

  gemini_safety_settings: {
    label: 'Cài đặt an toàn',
    help: 'Mức chặn theo danh mục; default dành cho danh mục không nêu tên',
  },
  gemini_version_settings: { label: 'Phiên bản API', help: 'Theo mô hình; default dành cho mô hình không nêu tên' },
  gemini_supported_imagine_models: { label: 'Mô hình tạo ảnh', help: 'Câu trả lời của chúng có thể chứa ảnh' },
  gemini_thinking_adapter_enabled: {
    label: 'Hậu tố suy nghĩ',
    help: 'Tên kết thúc bằng -thinking hoặc -nothinking sẽ bật hoặc tắt suy nghĩ, như gemini-2.5-flash-thinking',
  },
  gemini_thinking_adapter_budget_tokens_percentage: {
    label: 'Tỷ lệ suy nghĩ',
    help: 'Phần của câu trả lời dài nhất được dùng để suy nghĩ, 0.002 đến 1',
  },
  gemini_models_supported_thinking_budget: {
    label: 'Mô hình có ngân sách suy nghĩ',
    help: 'Chỉ gửi ngân sách đến các mô hình này',
  },

  claude_model_headers_settings: { label: 'Header', help: 'Header thêm vào theo mô hình, như anthropic-beta' },
  claude_default_max_tokens: {
    label: 'Câu trả lời dài nhất mặc định',
    help: 'Cho lượt gọi không nêu rõ; default dành cho mô hình không nêu tên',
  },
  claude_thinking_adapter_enabled: { label: 'Hậu tố suy nghĩ', help: 'Tên kết thúc bằng -thinking sẽ bật suy nghĩ' },
  claude_thinking_adapter_budget_tokens_percentage: {
    label: 'Tỷ lệ suy nghĩ',
    help: 'Phần của câu trả lời dài nhất được dùng để suy nghĩ, 0.1 đến 1',
  },

  global_model_mapping: { label: 'Ánh xạ mô hình', help: 'Tên ảo đại diện cho những mô hình nào' },
}
