package org.buftrail.agent.jmx;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.NotCompliantMBeanException;
import javax.management.NotificationEmitter;
import javax.management.StandardEmitterMBean;
import org.jspecify.annotations.Nullable;

/**
 * A bean that implements its own open interface and describes it to consoles.
 *
 * @param <T> the interface
 */
abstract class DescribedBean<T> extends StandardEmitterMBean {
  DescribedBean(Class<T> type, NotificationEmitter notifications)
      throws NotCompliantMBeanException {
    super(type, true, notifications);
  }

  @Override
  protected String getDescription(MBeanAttributeInfo attribute) {
    String prefix = attribute.isIs() ? "is" : "get";
    return says(method(prefix + attribute.getName()), attribute.getDescription());
  }

  @Override
  protected String getDescription(MBeanOperationInfo operation) {
    return says(method(operation.getName()), operation.getDescription());
  }

  @Override
  protected String getParameterName(
      MBeanOperationInfo operation, MBeanParameterInfo parameter, int sequence) {
    Method method = method(operation.getName());
    if (method != null) {
      for (Annotation annotation : method.getParameterAnnotations()[sequence]) {
        if (annotation instanceof ParameterName) {
          return ((ParameterName) annotation).value();
        }
      }
    }
    return parameter.getName();
  }

  private static String says(@Nullable Method method, String otherwise) {
    Description says = method == null ? null : method.getAnnotation(Description.class);
    return says == null ? otherwise : says.value();
  }

  private @Nullable Method method(String name) {
    for (Method method : getMBeanInterface().getMethods()) {
      if (method.getName().equals(name)) {
        return method;
      }
    }
    return null;
  }
}
