package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The annotation on a method or class, by itself, through another and by inheritance. */
class RulesTest {
  @Retention(RetentionPolicy.RUNTIME)
  @DetectBufferLeaks(graceMillis = 7)
  @interface Patient {}

  @Retention(RetentionPolicy.RUNTIME)
  @Patient
  @interface VeryPatient {}

  @DetectBufferLeaks(allowedUntil = Until.CLASS)
  static class Annotated {
    void plain() {}

    @DetectBufferLeaks(strict = true, misuses = false)
    void direct() {}

    @Deprecated
    @VeryPatient
    void throughOthers() {}
  }

  static class Derived extends Annotated {}

  @VeryPatient
  static class Composed {}

  private static @Nullable Rules of(String method) throws NoSuchMethodException {
    Method found = Annotated.class.getDeclaredMethod(method);
    return DeclaredRules.of(found);
  }

  @Test
  void aMethodWithoutHasNoneOfItsOwn() throws NoSuchMethodException {
    assertThat(of("plain")).isNull();
    assertThat(DeclaredRules.of(RulesTest.class)).isNull();
  }

  @Test
  void aMethodHasWhatItSays() throws NoSuchMethodException {
    Rules rules = of("direct");
    assertThat(rules).isNotNull();
    assertThat(rules.allowedUntil).isEqualTo(Until.TEST);
    assertThat(rules.strict).isTrue();
    assertThat(rules.misuses).isFalse();
    assertThat(rules.grace).isEqualTo(TestSettings.graceMillis());
  }

  @Test
  void anAnnotationCarriesItHoweverDeep() throws NoSuchMethodException {
    Rules onMethod = of("throughOthers");
    Rules onClass = DeclaredRules.of(Composed.class);
    assertThat(onMethod).isNotNull();
    assertThat(onMethod.grace).isEqualTo(7);
    assertThat(onClass).isNotNull();
    assertThat(onClass.grace).isEqualTo(7);
  }

  @Test
  void aClassInheritsIt() {
    Rules rules = DeclaredRules.of(Derived.class);
    assertThat(rules).isNotNull();
    assertThat(rules.allowedUntil).isEqualTo(Until.CLASS);
  }
}
