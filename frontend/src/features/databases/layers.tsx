import { type ComponentProps, lazy, Suspense } from "react";

const LazyConnectionForm = lazy(() =>
  import("./ConnectionForm").then((module) => ({ default: module.ConnectionForm })),
);
const LazyRoleDialog = lazy(() => import("./RoleDialog").then((module) => ({ default: module.RoleDialog })));
const LazyVerifiedQueryDialog = lazy(() =>
  import("./VerifiedQueryDialog").then((module) => ({ default: module.VerifiedQueryDialog })),
);
const LazyDescribeDialog = lazy(() =>
  import("./DescribeDialog").then((module) => ({ default: module.DescribeDialog })),
);
const LazyCorrectLink = lazy(() =>
  import("./CorrectLink").then((module) => ({ default: module.CorrectLink })),
);
const LazySampleTab = lazy(() => import("./SampleTab").then((module) => ({ default: module.SampleTab })));

/** What opens above the page or behind a tab is fetched when it is first wanted. */
export function ConnectionForm(props: ComponentProps<typeof LazyConnectionForm>) {
  return (
    <Suspense>
      <LazyConnectionForm {...props} />
    </Suspense>
  );
}

export function RoleDialog(props: ComponentProps<typeof LazyRoleDialog>) {
  return (
    <Suspense>
      <LazyRoleDialog {...props} />
    </Suspense>
  );
}

export function VerifiedQueryDialog(props: ComponentProps<typeof LazyVerifiedQueryDialog>) {
  return (
    <Suspense>
      <LazyVerifiedQueryDialog {...props} />
    </Suspense>
  );
}

export function DescribeDialog(props: ComponentProps<typeof LazyDescribeDialog>) {
  return (
    <Suspense>
      <LazyDescribeDialog {...props} />
    </Suspense>
  );
}

export function CorrectLink(props: ComponentProps<typeof LazyCorrectLink>) {
  return (
    <Suspense>
      <LazyCorrectLink {...props} />
    </Suspense>
  );
}

export function SampleTab(props: ComponentProps<typeof LazySampleTab>) {
  return (
    <Suspense>
      <LazySampleTab {...props} />
    </Suspense>
  );
}
