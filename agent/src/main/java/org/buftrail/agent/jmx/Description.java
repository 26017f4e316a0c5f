package org.buftrail.agent.jmx;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The description of an attribute or operation that a console shows. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Description {
  String value();
}
