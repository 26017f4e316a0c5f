package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.AnnotatedElement;
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
    return rules(found);
  }

  private static @Nullable Rules rules(AnnotatedElement element) {
    DetectBufferLeaks declared = DeclaredRules.of(element);
    return declared == null ? null : DeclaredRules.with(TestSettings.rules(name -> null), declared);
  }

  @Test
  void aMethodWithoutHasNoneOfItsOwn() throws NoSuchMethodException {
    assertThat(of("plain")).isNull();
    assertThat(rules(RulesTest.class)).isNull();
  }

  @Test
  void aMethodHasWhatItSays() throws NoSuchMethodException {
    Rules rules = of("direct");
    assertThat(rules).isNotNull();
    assertThat(rules.allowedUntil).isEqualTo(Until.TEST);
    assertThat(rules.strict).isTrue();
    assertThat(rules.misuses).isFalse();
    assertThat(rules.grace).isEqualTo(1_000);
  }

  @Test
  void anAnnotationCarriesItHoweverDeep() throws NoSuchMethodException {
    Rules onMethod = of("throughOthers");
    Rules onClass = rules(Composed.class);
    assertThat(onMethod).isNotNull();
    assertThat(onMethod.grace).isEqualTo(7);
    assertThat(onClass).isNotNull();
    assertThat(onClass.grace).isEqualTo(7);
  }

  @Test
  void aClassInheritsIt() {
    Rules rules = rules(Derived.class);
    assertThat(rules).isNotNull();
    assertThat(rules.allowedUntil).isEqualTo(Until.CLASS);
  }

  @Test
  void aRuleOfTheRunHoldsWhereTheAnnotationSaysNothing() throws NoSuchMethodException {
    Rules run = new Rules(Until.CLASS, 3, false, true);
    DetectBufferLeaks patient = DeclaredRules.of(Composed.class);
    assertThat(patient).isNotNull();
    Rules both = DeclaredRules.with(run, patient);
    assertThat(both.allowedUntil).isEqualTo(Until.CLASS);
    assertThat(both.grace).isEqualTo(7);
    assertThat(both.misuses).isFalse();
    assertThat(both.strict).isTrue();
  }

  @Test
  void thePackageAndThoseAroundItHaveOneToo() {
    DetectBufferLeaks found =
        DeclaredRules.ofPackage(org.buftrail.junit.described.inner.Some.class);
    assertThat(found).isNotNull();
    assertThat(found.graceMillis()).isEqualTo(11);
    assertThat(DeclaredRules.ofPackage(RulesTest.class)).isNull();
  }
}
