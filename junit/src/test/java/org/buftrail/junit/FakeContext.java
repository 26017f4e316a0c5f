package org.buftrail.junit;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** As much of a context as names are made of, and what runs beside a test is told by. */
final class FakeContext {
  private final Map<String, Object> answers = new HashMap<>();
  private final Map<String, String> parameters = new HashMap<>();

  FakeContext(@Nullable Class<?> type, @Nullable String method) throws NoSuchMethodException {
    Method found = type == null || method == null ? null : type.getDeclaredMethod(method);
    answers.put("getTestClass", Optional.ofNullable(type));
    answers.put("getTestMethod", Optional.ofNullable(found));
    answers.put("getElement", Optional.ofNullable(found == null ? type : found));
    answers.put("getParent", Optional.empty());
    answers.put("getExecutionMode", ExecutionMode.SAME_THREAD);
  }

  FakeContext in(ExtensionContext parent) {
    answers.put("getParent", Optional.of(parent));
    return this;
  }

  FakeContext called(String name) {
    answers.put("getDisplayName", name);
    return this;
  }

  FakeContext concurrent() {
    answers.put("getExecutionMode", ExecutionMode.CONCURRENT);
    return this;
  }

  FakeContext set(String parameter, String value) {
    parameters.put(parameter, value);
    return this;
  }

  ExtensionContext get() {
    return (ExtensionContext)
        Proxy.newProxyInstance(
            FakeContext.class.getClassLoader(),
            new Class<?>[] {ExtensionContext.class},
            (proxy, method, arguments) ->
                method.getName().equals("getConfigurationParameter")
                    ? Optional.ofNullable(parameters.get((String) arguments[0]))
                    : answers.get(method.getName()));
  }
}
