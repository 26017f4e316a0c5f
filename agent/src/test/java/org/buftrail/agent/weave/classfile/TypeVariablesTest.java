package org.buftrail.agent.weave.classfile;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TypeVariablesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<T:Ljava/lang/Object;>(TT;)V                                 | 1 | 0",
        "(ITT;)V                                                      | 2 | 1",
        "(Ljava/util/List<TT;>;TT;)V                                  | 2 | 1",
        "([TT;TT;)V                                                   | 2 | 1",
        "(Lcom/A<TT;>.B<TU;>;JTU;)V                                   | 3 | 2",
      })
  void parametersOfAVariableAreFound(String signature, int parameters, int index) {
    boolean @Nullable [] variables = TypeVariables.of(signature, parameters);
    assertThat(variables).hasSize(parameters);
    for (int i = 0; variables != null && i < parameters; i++) {
      assertThat(variables[i]).isEqualTo(i == index);
    }
    assertThat(TypeVariables.mayBeSignature(signature)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "null",
      value = {
        "null                                                         | 1",
        "(Ljava/util/List<TT;>;)V                                     | 1",
        "([TT;)V                                                      | 1",
        "<T:Ljava/lang/Object;>()TT;                                  | 0",
        "(I)TT;                                                       | 2",
      })
  void othersHaveNone(@Nullable String signature, int parameters) {
    assertThat(TypeVariables.of(signature, parameters)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"TOTAL", "(TOTAL)", "''", "(", "()V", "(I)V", "(Ljava/lang/Thread;)V"})
  void otherTextsNeverFail(String text) {
    assertThat(TypeVariables.mayBeSignature(text)).isEqualTo(text.equals("(TOTAL)"));
  }
}
