/** Errors of prices and virtual models. */
export const modelErrors = {
  model_not_offered: { status: 200, zh: '没有这个模型', en: 'This model is not offered here.' },

  model_mapping_malformed: {
    status: 400,
    zh: '模型映射必须是 JSON 对象：虚拟模型名到实际模型列表',
    en: 'The mapping must be a JSON object of virtual names to lists of models.',
  },
  model_mapping_name_required: { status: 400, zh: '虚拟模型名不能为空', en: 'A virtual model needs a name.' },
  model_mapping_name_invalid: {
    status: 400,
    zh: '虚拟模型名不可用：{name}',
    en: 'This name cannot be used for a virtual model: {name}',
  },
  model_mapping_targets_required: {
    status: 400,
    zh: '虚拟模型 {name} 至少需要一个实际模型',
    en: 'The virtual model {name} needs at least one actual model.',
  },
  model_mapping_target_blank: {
    status: 400,
    zh: '虚拟模型 {name} 的实际模型名为空或过长',
    en: 'An actual model of {name} has no name, or one that is too long.',
  },
  model_mapping_target_repeated: {
    status: 400,
    zh: '虚拟模型 {name} 的实际模型名重复：{model}',
    en: 'The virtual model {name} lists {model} twice.',
  },
  model_mapping_target_virtual: {
    status: 400,
    zh: '虚拟模型 {name} 的目标 {model} 本身是虚拟模型',
    en: 'The target {model} of {name} is a virtual model itself.',
  },
  model_mapping_priority_invalid: {
    status: 400,
    zh: '虚拟模型 {name} 的优先级必须是不小于 0 的整数',
    en: 'Priorities of {name} must be whole numbers not below 0.',
  },
  model_mapping_unreadable: {
    status: 500,
    zh: '已保存的模型映射无法读取',
    en: 'The stored mapping cannot be read.',
  },
} as const
