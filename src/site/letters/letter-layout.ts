/** Like an essay: from 1024 px a narrow rail of details beside the text. */
export const letterColumns = "page grid grid-cols-1 gap-x-10 pt-10 pb-8 lg:grid-cols-12 lg:pt-14";
export const letterRail = "lg:col-span-3 lg:col-start-1";
export const letterText = "min-w-0 lg:col-span-8 lg:col-start-4";
