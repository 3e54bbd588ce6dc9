import { GOAL_TASK_MAX_LENGTH, goalTaskText } from '@mogakgong/contract';
import { useForm } from '../../shared/form/use-form.ts';
import { planTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';

/** The form of a new task, empty again after each; `onAdd` gets the text as it is stored. */
export function useTaskForm(onAdd: (text: string) => void) {
  const { t } = useTranslation(planTexts);
  const form = useForm({
    initial: { task: '' },
    mode: 'type',
    check: ({ task }) => ({
      task:
        task.trim() !== '' && goalTaskText(task) === null
          ? t('goal.tooLong', { max: GOAL_TASK_MAX_LENGTH })
          : undefined,
    }),
    send: ({ task: typed }) => {
      const added = goalTaskText(typed);
      if (added === null) return;
      onAdd(added);
      form.change({ task: '' });
    },
  });
  return form;
}
