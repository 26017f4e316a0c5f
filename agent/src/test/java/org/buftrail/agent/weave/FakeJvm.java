package org.buftrail.agent.weave;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Answers of a test in place of the JVM. */
public interface FakeJvm {
  /**
   * @param method name of one of {@link Instrumentation}
   */
  @Nullable Object answer(String method, Object[] arguments) throws UnmodifiableClassException;

  static Instrumentation of(FakeJvm answers) {
    return (Instrumentation)
        Proxy.newProxyInstance(
            FakeJvm.class.getClassLoader(),
            new Class<?>[] {Instrumentation.class},
            (proxy, method, arguments) -> answers.answer(method.getName(), arguments));
  }
}
